// docs/json.md against what the commands write: no field that the page does not list, each with a type that it states,
// and each field of the page somewhere in the output.

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "app/cli/answers/answer.h"
#include "app/engine/wire/measured_file.h"
#include "kernels/compile/compile.h"
#include "tests/app/cli/program.h"
#include "tests/viz/measured_fixtures.h"

namespace lanescope::cli {
namespace {

using nlohmann::json;
using Path = std::vector<std::string>;  ///< "[]" is each entry of a list

struct PageField {
  std::string written;
  Path path;
  std::set<std::string> types;
  mutable bool seen = false;
};
struct PageSection {
  std::vector<PageField> fields;
  std::vector<std::string> includes;
};

/// "findings[].evidence.numbers.*" -> findings [] evidence numbers *
Path path_of(std::string text) {
  Path path;
  std::istringstream parts(text);
  for (std::string part; std::getline(parts, part, '.');) {
    int lists = 0;
    for (; part.ends_with("[]"); part.resize(part.size() - 2)) ++lists;
    path.push_back(part);
    while (lists-- > 0) path.emplace_back("[]");
  }
  return path;
}

std::set<std::string> words_between(const std::string& text, const std::string& separator) {
  std::set<std::string> words;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(separator, begin), text.size());
    words.insert(text.substr(begin, end - begin));
    begin = end + separator.size();
  }
  return words;
}

class JsonPage : public ProgramTest {
 protected:
  void SetUp() override {
    ProgramTest::SetUp();
    read(slurp(std::string(LANESCOPE_SOURCE_DIR) + "/docs/json.md"));
  }

  void read(const std::string& page) {
    std::istringstream lines(page);
    PageSection* section = nullptr;
    for (std::string line; std::getline(lines, line);) {
      if (line.starts_with("## ")) section = &sections_[line.substr(3)];
      if (section == nullptr) continue;
      if (line.starts_with("Includes: ") && line.ends_with("."))
        for (const std::string& name : words_between(line.substr(10, line.size() - 11), ", "))
          section->includes.push_back(name);
      if (!line.starts_with("| `")) continue;
      const std::size_t end = line.find("` | "), after = line.find(" |", end + 4);
      ASSERT_NE(after, std::string::npos) << line;
      const std::string written = line.substr(3, end - 3);
      section->fields.push_back(
          {written, path_of(written), words_between(line.substr(end + 4, after - end - 4), " or ")});
    }
  }

  PageSection& section(const std::string& name) {
    for (auto& [title, section] : sections_) {
      std::string lowered = title;
      std::ranges::transform(lowered, lowered.begin(), [](unsigned char c) { return std::tolower(c); });
      if (title == name || lowered == name) return section;
    }
    ADD_FAILURE() << "the page has no section " << name;
    return sections_[name];
  }

  std::vector<const PageField*> fields_of(const std::string& name) {
    PageSection& own = section(name);
    std::vector<const PageField*> all;
    for (const PageField& field : own.fields) all.push_back(&field);
    for (const std::string& included : own.includes)
      for (const PageField* field : fields_of(included)) all.push_back(field);
    return all;
  }

  static std::string type_of(const json& value) {
    if (value.is_boolean()) return "boolean";
    if (value.is_number_integer()) return "integer";
    return value.is_number() ? "number" : value.type_name();
  }
  static bool has_type(const PageField& field, const std::string& type) {
    return field.types.contains(type) || (type == "integer" && field.types.contains("number"));
  }
  static bool covers(const Path& listed, const Path& path) {
    return std::ranges::equal(listed, path,
                              [](const auto& a, const auto& b) { return a == b || (a == "*" && b != "[]"); });
  }

  void compare(const std::string& name, const json& value, const Path& path = {}) {
    if (!path.empty()) compare_field(name, value, path);
    if (value.is_object())
      for (const auto& [key, inner] : value.items()) {
        Path longer = path;
        longer.push_back(key);
        compare(name, inner, longer);
      }
    if (value.is_array())
      for (const json& inner : value) {
        Path longer = path;
        longer.emplace_back("[]");
        compare(name, inner, longer);
      }
  }

  void compare_field(const std::string& name, const json& value, const Path& path) {
    const PageField* found = nullptr;
    for (const PageField* field : fields_of(name)) {
      if (!covers(field->path, path)) continue;
      if (field->path == path || found == nullptr) found = field;
    }
    if (found == nullptr) {
      ADD_FAILURE() << name
                    << " writes a field that docs/json.md does not list: " << fmt::format("{}", json(path).dump());
      return;
    }
    EXPECT_TRUE(has_type(*found, type_of(value))) << name << ": " << found->written << " is " << type_of(value);
    found->seen = true;
  }

  /// Compares the standard output of a command.
  void compare_output(const std::string& name, const std::string& arguments, const std::string& input = "") {
    const Result r = run(arguments, input);
    ASSERT_TRUE(json::accept(r.out)) << arguments << "\n" << r.out << r.err;
    compare(name, json::parse(r.out));
  }
  void compare_lines(const std::string& name, const std::string& arguments, const std::string& input = "") {
    std::istringstream lines(run(arguments, input).out);
    for (std::string line; std::getline(lines, line);) {
      ASSERT_TRUE(json::accept(line)) << arguments << line;
      compare(name, json::parse(line));
    }
  }

  /// Fields of these sections that nothing wrote.
  std::string unseen(const std::vector<std::string>& names) {
    std::string all;
    for (const std::string& name : names)
      for (const PageField& field : section(name).fields)
        if (!field.seen) all += fmt::format("{}: {}\n", name, field.written);
    return all;
  }

  std::map<std::string, PageSection> sections_;
};

class JsonPageWithCompiler : public JsonPage {
 protected:
  /// The launch header alone, and the rest in a header that it includes.
  std::string with_header(const std::string& name, const std::string& text) const {
    const std::size_t code = text.find("*/\n") + 3;
    write(name + ".hpp", text.substr(code));
    write(name + "_in_header.cu", text.substr(0, code) + "#include \"" + name + ".hpp\"\n");
    return path(name + "_in_header.cu");
  }
  void SetUp() override {
    JsonPage::SetUp();
    if (!compile::toolchain().nvrtc) GTEST_SKIP() << "NVRTC is not installed";
  }
};

// A code is added to the page together with its sentence.
TEST_F(JsonPage, ListsEveryCode) {
  const std::string page = slurp(std::string(LANESCOPE_SOURCE_DIR) + "/docs/json.md");
  const auto listed = [&](std::string_view code) { return page.find(fmt::format("`{}`", code)) != std::string::npos; };
  for (const source::Why why : all_of<source::Why>)
    EXPECT_TRUE(why == source::Why::none || listed(sentence_of(why).name)) << sentence_of(why).name;
  for (const results::NoticeCode code : all_of<results::NoticeCode>)
    EXPECT_TRUE(code == results::NoticeCode::none || listed(sentence_of(code).name)) << sentence_of(code).name;
  for (const DiagnosticCode code : all_of<DiagnosticCode>) EXPECT_TRUE(listed(name_of(code))) << name_of(code);
}

constexpr const char* race = R"(/*
[lanescope]
block = [32, 32]

[buffers]
p = "f32 i:32 j:32"
q = "f32 j:32 i:32 = zeros"
*/
__global__ void __launch_bounds__(1024) race(const float* p, float* q)
{
    __shared__ float tile[32][33];
    tile[threadIdx.y][threadIdx.x] = p[32 * threadIdx.y + threadIdx.x];
    float y = tile[threadIdx.x][threadIdx.y];

    // y has register assignment:
    //   thread:  t4 t3 t2 t1 t0  <->  i4 i3 i2 i1 i0
    //   warp:    w4 w3 w2 w1 w0  <->  j4 j3 j2 j1 j0

    q[32 * threadIdx.y + threadIdx.x] = y;
}
)";

/// More blocks than begin in no time. Data steer, so that no block repeats another.
constexpr const char* large = R"(/*
[lanescope]
block = 32
grid = 4096

[buffers]
p = "f32 i:131072"
*/
__global__ void copy(float* p)
{
    float x = p[32 * blockIdx.x + threadIdx.x];
    // x has register assignment:
    //   thread:  t4 t3 t2 t1 t0  <->  i4 i3 i2 i1 i0
    if (x >= 0) p[32 * blockIdx.x + threadIdx.x] = x + 1;
}
)";

/// A wrong claim in an inlined function, after a branch on an element.
constexpr const char* steered = R"(/*
[lanescope]
block = 32

[buffers]
p = "u32 i:32"
n = "u32 k:32"
*/
__device__ void pass(const unsigned* p, unsigned* q)
{
    unsigned x = p[threadIdx.x];

    // x has register assignment:
    //   thread:  t4 t3 t2 t1 t0  <->  i4 i3 i2 i0 i1

    unsigned y = __shfl_xor_sync(0xffffffff, x, 1);
    q[threadIdx.x] = y;
}
__global__ void __launch_bounds__(32) steered(unsigned* p, const unsigned* n)
{
    if (n[0] == 0)
        pass(p, p);
}
)";

/// Registers that hold some bits of their elements.
constexpr const char* part = R"(/*
[lanescope]
block = 32

[buffers]
p = "u32 i:32"
*/
__global__ void __launch_bounds__(32) part(unsigned* p)
{
    unsigned x = p[threadIdx.x];
    unsigned y = x & 0xff00;
    unsigned z = __shfl_xor_sync(0xffffffff, y, 1);
    p[threadIdx.x] = z;
}
)";

/// Claims that name no variable, and that look forward.
constexpr const char* meant = R"(/*
[lanescope]
block = 32

[buffers]
p = "u32 h:2 i:32"
*/
__global__ void __launch_bounds__(32) meant(unsigned* p)
{
    unsigned x0 = p[threadIdx.x], x1 = p[threadIdx.x + 32];
    // The register assignment:
    //   register: h0
    // It becomes
    //   register: h0+1
    unsigned t = x0; x0 = x1; x1 = t;
    p[threadIdx.x] = x0; p[threadIdx.x + 32] = x1;
}
)";

constexpr const char* beyond = R"(/*
[lanescope]
block = 32

[buffers]
p = "u32 i:32"
*/
__global__ void __launch_bounds__(32) beyond(unsigned* p)
{
    p[threadIdx.x + 1000] = 1;
}
)";

constexpr const char* umlaut = R"(/*
[lanescope]
block = 32
[[launch]]
kernel = "a"
stream = 0
[[launch]]
kernel = "b"
stream = 1
[buffers]
p = "f32 i:32"
*/
__global__ void __launch_bounds__(32) a(float *p) { /* grün */ int absent; p[threadIdx.x] *= 1.5; }
__global__ void __launch_bounds__(32) b(float *p) { p[threadIdx.x] *= 2; }
)";

constexpr const char* printing = R"(/*
[lanescope]
block = 2
[buffers]
p = "f32 i:2"
*/
__global__ void k(float *p) { printf("%*d %c\n", 70000, 1, 200); }
)";

/// Nothing launches it: a claim, a race and a value that nothing sets rest on what is assumed.
constexpr const char* guessed = R"(
__global__ void __launch_bounds__(32) guessed(const float* p, float* q, int n)
{
    __shared__ float s[64];
    float x = p[32 * blockIdx.x + threadIdx.x];
    // x has register assignment:
    //   thread:  t4 t3 t2 t1 t0  <->  i4 i3 i2 i1 i0
    if (threadIdx.x < n) s[threadIdx.x] = x;
    q[32 * blockIdx.x + threadIdx.x] = s[threadIdx.x ^ 1] + s[63 - threadIdx.x];
}
)";

/// The same of a fault.
constexpr const char* guessed_fault = R"(
__global__ void __launch_bounds__(32) guessed_fault(int* p, int n)
{
    if (n > 0) reinterpret_cast<int*>(16)[n] = p[0];
}
)";

/// A finding inside a function that is called.
constexpr const char* called = R"(/*
[lanescope]
block = 32
[buffers]
p = "f32 n:2048"
q = "f32 n:64 = zeros"
*/
__device__ float column(const float* p, unsigned t) {
  return p[32 * t];
}
__global__ void __launch_bounds__(32) called(const float* p, float* q) {
  q[threadIdx.x] = column(p, threadIdx.x);
}
)";

constexpr const char* launching = R"(/*
[lanescope]
kernel = "parent"
block = 2
[buffers]
p = "f32 i:2"
*/
__global__ void child(float *p) { p[threadIdx.x] += 1; }
__global__ void parent(float *p) {
  if (threadIdx.x == 0) child<<<1, 2, 16>>>(p);
}
)";

// The call of an inlined function that made a claim fail is reported: the line of the call, not that of the function.
TEST_F(JsonPageWithCompiler, AClaimInAnInlinedFunctionNamesItsCall) {
  write("steered.cu", steered);
  const json claim = json::parse(run("check --json " + path("steered.cu")).out)["claims"][0];
  EXPECT_EQ(claim["verdict"], "differs");
  EXPECT_EQ(claim["first_failure"]["caller_line"], 22) << claim;
  EXPECT_EQ(claim["first_failure"]["line"], 11) << claim;
  EXPECT_EQ(claim["steered_line"], 21) << claim;
}

TEST_F(JsonPageWithCompiler, ListsWhatRunsSay) {
  write("race.cu", race), write("steered.cu", steered), write("grün.cu", umlaut), write("printing.cu", printing);
  write("meant.cu", meant), write("guessed.cu", guessed), write("guessed_fault.cu", guessed_fault);
  const std::string good = "assets/kernels/copy_float4.cu ";
  for (const std::string& file :
       {good, data + "half2.cu", data + "wrong_claim.cu", data + "out_of_bounds.cu", data + "syntax_error.cu",
        path("race.cu"), path("steered.cu"), path("grün.cu"), path("meant.cu"), path("printing.cu"), path("guessed.cu"),
        path("guessed_fault.cu"), std::string("tests/data/review/claim-unchecked/trip_1.cu"),
        std::string("assets/kernels/shared_transpose_naive.cu"), std::string("none.cu")})
    for (const std::string command : {"check", "review", "run", "occupancy", "annotate"}) {
      compare_output(command, fmt::format("{} --json '{}'", command, file.substr(0, file.find(' '))));
      if (command == "review")
        compare_output("review --sarif", fmt::format("review --sarif '{}'", file.substr(0, file.find(' '))));
    }
  write("far.cu",
        "__global__ void __launch_bounds__(64) far(float* p) { p[threadIdx.x + 5000] = 1; }\n"
        "__global__ void __launch_bounds__(64) b(float* p) { p[threadIdx.x] += 1; }\n"
        "int main() { float* p; cudaMalloc(&p, 256); far<<<1, 64>>>(p); b<<<1, 64>>>(p); }\n");
  compare_output("review", "review --json " + path("far.cu"));
  write("called.cu", called), compare_output("review", "review --json " + path("called.cu"));
  compare_output("check", "check --json tests/data/strangers/byte_bits.cu");
  write("asks.cu",
        "/*\n[lanescope]\nkernel = \"k\"\n[buffers]\np = \"u32 i:32\"\n*/\n__global__ void k(unsigned *p) {\n"
        "  unsigned x = p[threadIdx.x];\n  // x has register assignment:\n  //   thread: a4 a3 a2 a1 a0\n"
        "  p[threadIdx.x] = x;\n  // y has register assignment:\n  //   thread: i4 i3 i2 i1 i0\n  ++p[32 & x];\n}\n");
  compare_output("check", "check --json " + path("asks.cu"));
  compare_output("check", "check --json assets/kernels/increment_race.cu");
  compare_output("check", "check --json assets/kernels/blur_fused_short.cu");
  compare_output("catalogue", "catalogue --json");
  compare_output("catalogue", "catalogue --json nothing of this kind");
  compare_output("lessons", "lessons --json");
  compare_output("lesson", "lesson tests/data/lessons/01-first --json");
  compare_output("lesson", "lesson tests/data/lessons/01-first --check --json");
  compare_output("lesson", "lesson 01 --page 8 --json");
  compare_output("lesson", "lesson 01 --check --json");
  compare_output("lesson", "lesson nothing --json");
  EXPECT_EQ(unseen({"lesson", "moments and questions"}), "");
  write("large.cu", large);
  for (const std::string command : {"check", "run"}) {
    const std::string asked = fmt::format("{} --json --run-seconds 0.000001 '{}'", command, path("large.cu"));
    EXPECT_EQ(run(asked).status, 3) << "not every block ran";
    compare_output(command, asked);
  }
  write("copy.cu", slurp(std::string(LANESCOPE_SOURCE_DIR) + "/" + good.substr(0, good.find(' '))));
  write(".lanescope.toml", "[compile]\ndefine = [\"X=1\"]\noptions = [\"-O3\"]\n");
  compare_output("check", "check --json " + path("copy.cu") + " -- -DY=1");
  for (const auto& [name, text] : {std::pair("race", race), std::pair("steered", steered), std::pair("beyond", beyond),
                                   std::pair("printing", printing), std::pair("launching", launching)}) {
    const std::string file = with_header(name, text);
    for (const std::string command : {"check", "review", "run"})
      compare_output(command, fmt::format("{} --json '{}'", command, file));
  }
  compare_output("annotate", "annotate --json assets/kernels/no_comments.cu -o " + path("a.cu"));
  compare_output("occupancy", "occupancy --json --caps 8,32 " + good);
  compare_output("occupancy", "occupancy --json --no-nvrtc --caps 16 " + good);
  compare_output("occupancy", "occupancy --json --registers 200 --threads 1024");
  compare_output("occupancy", "occupancy --json --carveout 50 --registers 32 --threads 128");
  compare_output("resources", "resources --json " + good);
  compare_output("journey", "journey --json assets/kernels/half2_transposes.cu p[8] p[17]");
  compare_output("journey", "journey --json assets/kernels/shared_transpose_padded.cu p[0..3]");
  compare_output("journey", "journey --json assets/kernels/copy_float.cu p[9000] nothing[1]");
  compare_output("journey", "journey --json assets/kernels/dot_block.cu a[3]");
  compare_output("resources", "resources --json none.cu");
  for (const std::string command : {"check", "review", "run"})
    compare_lines("lines of a sweep", fmt::format("{} {} '{}' none.cu --sweep seed=1,2", command,
                                                  data + "wrong_claim.cu", path("grün.cu")));
  compare_lines("lines of a sweep", "run " + good + " --sweep seed=1,2 --jobs 1");
  write("swept.cu",
        "/*\n[lanescope]\ngrid = 4\nblock = 32\n[buffers]\nq = { type = \"u32\", axes = \"i:128\", init = \"zeros\", "
        "expect = "
        "\"iota\" }\n*/\n__global__ void k(unsigned *q) {\n  int absent;\n  unsigned i = blockIdx.x * blockDim.x + "
        "threadIdx.x;\n  if (i < 128) q[i] = i;\n}\n");
  compare_lines("lines of a sweep", "run " + path("swept.cu") + " --sweep block=16,32");
  std::filesystem::create_directory(folder_ / ".git");  // the root of a repository
  compare_output("review --sarif", "review --sarif " + path("swept.cu") + " " + path("race.cu"));
  compare_output("measure", "measure --json " + good);
  EXPECT_EQ(unseen({"A run", "Diagnostics", "Faults", "check", "review", "review --sarif", "run", "annotate",
                    "occupancy", "lines of a sweep"}),
            "");
}

TEST_F(JsonPageWithCompiler, ListsWhatPicturesSay) {
  const std::string kernel = "assets/kernels/half2_transposes.cu", tile = "assets/kernels/shared_transpose_naive.cu";
  const auto draw = [&](const std::string& file, const std::string& view, const std::string& more) {
    compare_output("render", fmt::format("render --json {} --view {} -o {} {}", file, view, path("s.json"), more));
    if (const std::string drawn = slurp(path("s.json")); !drawn.empty())
      compare("render -o scene.json", json::parse(drawn));
  };
  for (const std::string view : {"registers", "global", "timeline", "assignment", "traffic", "traffic-line",
                                 "traffic-run", "heat", "ptx", "divergence", "occupancy", "roofline", "buffers"})
    draw(kernel, view, "");
  draw(kernel, "registers", "--at 40");
  write("part.cu", part);
  draw(path("part.cu"), "registers", "");
  draw(tile, "shared", "--at 28 --what-if padding:32+1");
  draw(tile, "registers", "--at 1");
  draw(with_header("part", part), "registers", "--at part.hpp:3");
  draw("assets/kernels/blur_fused.cu", "divergence", "");
  draw(kernel, "registers", "--block 99");
  draw("none.cu", "registers", "");
  for (const std::string view : {"metrics", "stalls", "compare", "sass", "host-calls"}) {
    draw(kernel, view, "");
    draw(tile, view, "--measured tests/data/gpu/shared_transpose_naive.measured.json");
  }
  for (const char* form : {"h.html", "h.pdf"})
    compare_output("handout", fmt::format("handout --json assets/kernels/copy_float.cu -o {}", path(form)));
  EXPECT_EQ(unseen({"render", "render -o scene.json", "handout"}), "");
}

TEST_F(JsonPage, ListsWhatNeedsNoKernel) {
  write("launches.cu",
        "__global__ void f(float* p) {}\n__global__ void g() {}\nint main() { float* p; cudaMalloc(&p, 64);\n"
        " f<<<2, 32, 16>>>(p); }\n");
  compare_output("kernels", "kernels --json " + path("launches.cu"));
  compare_output("kernels", "kernels --json none.cu");
  compare_output("kernels", "kernels --json tests/data/contracts/exchanges.cu");
  write("deep.cuh", "#pragma once\n__global__ void deep(int* p) { *p = 1; }\n");
  write("top.cu", "#include \"deep.cuh\"\n__global__ void top(int* p) { *p = 2; }\n");
  compare_output("kernels", "kernels --json " + path("top.cu"));
  compare_output("doctor", "doctor --json --no-nvrtc");
  compare_output("doctor --ptx", "doctor --ptx --json");
  compare_output("figures", "figures --json");
  compare_output("occupancy --gpus", "occupancy --gpus --json");
  compare_output("occupancy --limits", "occupancy --limits --json --gpu V100");
  compare_output("occupancy --limits", "occupancy --limits --json --arch sm_35");
  compare_output("threads", "threads --json " + path("launches.cu"));
  compare_output("threads", "threads --json --block 40,2 --tile 8 --thread 3,1");
  compare_output("threads", "threads --json --block 2000");
  compare_output("explain", "explain --json 'ld.global.nc.v4.f32 {%f1, %f2, %f3, %f4}, [%rd1]'");
  compare_output("explain", "explain --json 'ld.global.nowhere.f32'");
  compare_output("explain", "explain --json 'cp.async.cg.shared.global [%r1], [%rd1], 16' --arch K40");
  compare_output("explain", "explain --json add.s32 --arch nothing");
  compare_output("counters", "counters --json");
  compare_output("counters", "counters --json nothing");
  compare_output("explain FILE.ptx", "explain --json assets/kernels/half2_transposes.plain.ptx");
  compare_output("occupancy", "occupancy --json --registers 32");
  for (const std::string where :
       {"--arch sm_20 --path caching", "--arch K20 --path read-only", "--path constant", "--arch sm_13 --space global"})
    compare_output("access", "access --json --op ld --width 4 --pattern misaligned:4 " + where);
  for (const std::string space : {"shared", "global", "constant", "local"})
    compare_output("access", "access --json --op ld --width 4 --pattern aligned --space " + space);
  compare_output("access", "access --json --op ld --width 4 --pattern zigzag --space shared");
  compare_output("plan",
                 "plan --json --type f16 --from 'simd: k0; register: j3 j2; thread: j1 j0 k3 k2 k1' --to 'simd: j3; "
                 "register: k0 k3; thread: j1 j0 j2 k2 k1'");
  compare_output(
      "plan",
      "plan --json --type f32 --from 'register: i0; thread: j4 j3 j2 j1 j0' --through 'thread: j3 j4 j2 j1 j0' "
      "--to 'register: j0; thread: j4 j3 j2 j1 i0' --free-lanes --free-registers --target sm_90 --emit " +
          path("plan.cuh"));
  compare_output("plan",
                 "plan --json --type f16 --from 'simd: c0; register: a1 a0; thread: r2 r1 r0 c2 c1' --to 'simd: r0; "
                 "register: a1 a0; thread: c2 c1 c0 r2 r1'");
  compare_output("plan",
                 "plan --json --type f16 --from 'simd: c0; register: r4 r3; thread: r2 r1 r0 c2 c1' --to 'simd: c0; "
                 "register: c2 c1; thread: r4 r3 r2 r1 r0'");
  compare_output("plan", "plan --json --structures 3 --target sm_90 --emit " + path("plan.cuh"));
  write("stranger.cu",
        "__global__ void k(float* p, int n) { if (threadIdx.x < n) p[threadIdx.x] = 1; }\n"
        "__global__ void absent(float* q, int m) { q[threadIdx.x + m] = 1; }\n"
        "int main() { float* p; cudaMalloc(&p, 256); k<<<1, 64>>>(p, 64); }\n");
  compare_output("adopt", "adopt --json " + path("stranger.cu"));
  compare_output("adopt", "adopt --json --kernel absent " + path("stranger.cu"));
  compare_output("adopt", "adopt --json " + path("stranger.cu") + " -o " + path("adopted.cu"));
  std::string offsets;
  for (int lane = 0; lane < 32; ++lane) offsets += (lane ? "," : "") + std::to_string(4 * lane);
  compare_lines(
      "access", "access --stdin",
      "nonsense\n{\"space\":\"global\",\"op\":\"ld\",\"width\":4,\"mask\":7,\"offsets\":[" + offsets + "]}\n");
  EXPECT_EQ(unseen({"kernels", "doctor", "doctor --ptx", "figures", "occupancy --gpus", "occupancy --limits", "threads",
                    "counters", "access", "adopt"}),
            "");
  EXPECT_EQ(compile::toolchain().nvrtc ? unseen({"plan"}) : "", "");
}

TEST_F(JsonPage, ListsWhatAGpuSays) {
  results::Measured m = views::fixtures::measured();
  m.refused = {{.file = "k.cu", .line = 1, .column = 2, .message = "no", .remedy = "install it"}};
  m.fault = "an illegal address", m.fault_line = 3, m.fault_source = "the emulator stops there, too";
  m.buffers = {{.name = "p", .elements = 8, .different = 1, .first = 3, .gpu = "1", .emulator = "2"},
               {.name = "q", .elements = 8, .different = 0, .first = 0, .gpu = {}, .emulator = {}}};
  m.launches.push_back({.kernel = "k", .stream = 1});
  m.host_calls.push_back({.name = "cuLaunchKernel", .calls = 1});
  m.stalls.push_back({.line = 3, .reason = "wait", .words = "a latency", .samples = 2, .idle = 1});
  m.timing->samples_us = {4, 4.25, 4.5, 6.5};
  m.trace.emplace();
  m.trace->pair =
      results::AccessPair{.emulated = "a load", .gpu = "a load", .emulated_places = {"p + 4"}, .gpu_places = {"p + 8"}};
  compare("a measurement", json::parse(engine::to_text({.file = "k.cu", .kernel = "k", .measured = m})));
  compare("a measurement", json::parse(engine::to_text({.file = "k.cu", .kernel = "k"})));
  compare("a measurement", json::parse(slurp(std::string(LANESCOPE_SOURCE_DIR) +
                                             "/tests/data/gpu/shared_transpose_naive.measured.json")));
  json out = {{"counters", {{"total", json::object()}}}};
  add_measured(out, m, m);
  compare("run --engine gpu", out);
  EXPECT_EQ(unseen({"a measurement", "run --engine gpu"}), "");
}

// The comparison itself: a field that is not listed, and a type that is not stated, are failures.
TEST_F(JsonPage, IsReadAsItIsWritten) {
  EXPECT_EQ(path_of("a[].b.*"), (Path{"a", "[]", "b", "*"}));
  EXPECT_EQ(path_of("a[][]"), (Path{"a", "[]", "[]"}));
  EXPECT_TRUE(covers(path_of("counters.total.*.unit"), {"counters", "total", "l1tex__t.sum", "unit"}));
  EXPECT_FALSE(covers(path_of("counters.total.*.unit"), {"counters", "total", "unit"}));
  EXPECT_FALSE(covers(path_of("a.*"), {"a", "[]"}));
  EXPECT_GT(sections_.size(), 15u);
  for (const auto& [title, section] : sections_)
    for (const PageField& field : section.fields)
      for (const std::string& type : field.types)
        EXPECT_TRUE(
            (std::set<std::string>{"object", "array", "string", "integer", "number", "boolean", "null"}.contains(type)))
            << title << ": " << field.written << " is " << type;
}

}  // namespace
}  // namespace lanescope::cli
