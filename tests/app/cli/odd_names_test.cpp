// Names of a file, of its folder and of the header beside it change no answer of any command.

#include <algorithm>

#include <nlohmann/json.hpp>

#include "kernels/base/visible.h"
#include "kernels/compile/compile.h"
#include "tests/app/cli/program.h"
#include "tests/sample.h"

namespace lanescope::cli {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

std::string quoted(const std::string& word) {
  std::string out = "'";
  for (const char c : word) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size()))
    text.replace(at, what.size(), by);
  return text;
}

/// As it stands inside a JSON string.
std::string in_json(const std::string& text) {
  const std::string whole = json(text).dump(-1, ' ', false, json::error_handler_t::replace);
  return whole.substr(1, whole.size() - 2);
}

constexpr const char* kernel = R"(/*
[lanescope]
block = [32, 32]

[buffers]
p = "f32 i:32 j:32"
q = "f32 j:32 i:32 = zeros"
*/
#include "HEADER"
__global__ void transpose(const float *p, float *q)
{
    __shared__ float tile[32][32];
    float x = p[32 * threadIdx.y + threadIdx.x];

    // x has register assignment:
    //   thread:  t4 t3 t2 t1 t0  <->  i4 i3 i2 i1 i0

    tile[threadIdx.y][threadIdx.x] = x;
    __syncthreads();
    float y = tile[threadIdx.x][threadIdx.y];  // lanescope: allow bank-conflict
    float z = scaled(tile[threadIdx.x][threadIdx.y], tile);
    q[32 * threadIdx.y + threadIdx.x] = y + z;
}
)";
constexpr const char* header =
    "__device__ __noinline__ float scaled(float a, float (*tile)[32]) {\n  return a * tile[threadIdx.x][0];\n}\n";

class OddNames : public ProgramTest {
 protected:
  void SetUp() override {
    ProgramTest::SetUp();
    if (!compile::toolchain().nvrtc) GTEST_SKIP() << "NVRTC is not installed";
  }

  struct Place {
    std::string folder, file, header;
  };
  std::string made(const Place& p) const {
    fs::create_directories(folder_ / p.folder);
    write(p.folder + "/" + p.header, header);
    const std::string file = p.folder + "/" + p.file;
    write(file, replaced(kernel, "HEADER", p.header));
    return path(file);
  }

  /// Output of a command, with the names of the file and of the header taken out.
  std::string said(const std::string& command, const std::string& options, const Place& p) const {
    const std::string file = made(p);
    const Result r = run(command + " " + options + " -- " + quoted(file));
    std::string all = fmt::format("{}\n{}\n{}", r.status, r.out, r.err);
    for (const std::string& name : {file, visible_name(file), in_json(file)}) all = replaced(all, name, "FILE");
    const std::string header_path = path(p.folder + "/" + p.header);  // findings in it name it in full
    for (const std::string& name : {header_path, visible_name(header_path), in_json(header_path), p.header,
                                    visible_name(p.header), in_json(p.header)})
      all = replaced(all, name, "HEADER");
    // Columns are as wide as the names in them.
    const auto both_blank = [](char a, char b) { return a == ' ' && b == ' '; };
    all.erase(std::unique(all.begin(), all.end(), both_blank), all.end());
    return replaced(all, "\n ", "\n");
  }
};

const std::string odd[] = {"grün",        "a b",  "a\"b",
                           "a\\b",        "a\nb", "100% %41",
                           "-x",          "it's", "lanescope.probe 0 var=1 off=0 size=4 %r1",
                           "a: error: b", "\xfc", "lanescope-probe",
                           "$(x)",        "名前"};

TEST_F(OddNames, ChangeNoAnswer) {
  const struct {
    std::string command, options;
  } commands[] = {{"check", ""}, {"run", ""}, {"review", ""}, {"review", "--json"}, {"annotate", ""}};
  std::size_t turn = 0;
  for (const auto& [command, options] : commands) {
    ++turn;
    const std::string expected = said(command, options, {"folder", "k.cu", "h.h"});
    if (command == "check") {
      EXPECT_NE(expected.find("differ"), std::string::npos) << expected;
    }
    if (command == "run") {
      EXPECT_NE(expected.find("\n20 "), std::string::npos) << "a row for line 20\n" << expected;
    }
    if (command == "review") {
      EXPECT_EQ(expected.find("FILE:20:"), std::string::npos) << "allowed\n" << expected;
    }
    for (std::size_t i = 0; i < std::size(odd); ++i) {
      // Each name with `run`, and of the other commands a part of them: each reads names by the same code.
      if (command != "run" && !lanescope::test::in_sample(i + turn, 4)) continue;
      std::string include = replaced(replaced(odd[(i + 1) % std::size(odd)], "\"", "'"), "\n", " ") + ".h";
      const Place place{odd[i], odd[(i + 2) % std::size(odd)] + ".cu", include};
      ASSERT_EQ(said(command, options, place), expected) << command << " " << options << " " << in_json(odd[i]);
    }
  }
}

// A place in SARIF is an URI.
TEST_F(OddNames, SarifHasUris) {
  const Place place{"grün 1%", "k \"2\".cu", "h.h"};
  const Result r = run("review --sarif -- " + quoted(made(place)));
  const json sarif = json::parse(r.out);
  const auto& results = sarif.at("runs").at(0).at("results");
  ASSERT_FALSE(results.empty());
  const std::string uri = results.at(0).at("locations").at(0).at("physicalLocation").at("artifactLocation").at("uri");
  EXPECT_TRUE(uri.ends_with("/gr%C3%BCn%201%25/k%20%222%22.cu")) << uri;
}

TEST_F(OddNames, ErrorsOfTheCompilerHaveTheName) {
  for (const std::string& name : odd) {
    const Place place{name, name + ".cu", "h.h"};
    const std::string file = made(place);
    write(name + "/" + name + ".cu", "__global__ void f(int* p) {\n  p[0] = missing;\n}\n");
    const Result r = run("check -- " + quoted(file));
    EXPECT_NE(r.status, 0);
    EXPECT_TRUE((r.err + r.out).starts_with(visible_name(file) + ":2:10: ")) << r.err << r.out;
  }
}

}  // namespace
}  // namespace lanescope::cli
