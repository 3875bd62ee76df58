#include "tests/security/hostile_files.h"

#include <algorithm>
#include <fstream>
#include <random>
#include <sstream>
#include <string_view>

#include <fmt/format.h>

namespace lanescope::security {
namespace {

namespace fs = std::filesystem;

// In the texts below @R is a file to read, @W one to write, @V a folder of them, @C a command to run, @O options as the carrier
// writes them.

/// Options that no file may give the compiler; words of one option are separated by |.
constexpr std::string_view options[] = {"--create-pch=@W",
                                        "--use-pch=@R",
                                        "--pch|--pch-dir=@V",
                                        "-Xptxas|--options-file=@R",
                                        "--ptxas-options=--options-file=@R",
                                        "-Xptxas|-o|-Xptxas|@W",
                                        "@@R",
                                        "--options-file=@R",
                                        "-optf|@R",
                                        "-include|@R",
                                        "--pre-include=@R",
                                        "--output-file=@W",
                                        "-o|@W",
                                        "--fdevice-time-trace=@W",
                                        "-MD|-MF|@W",
                                        "--keep|--keep-dir=@V",
                                        "-ccbin|@C",
                                        "--compiler-bindir=@C",
                                        "-Xcompiler|-fplugin=@R",
                                        "-Xnvlink|--options-file=@R",
                                        "--run|--run-args=@C",
                                        "-dlto|--gen-opt-lto|--output-file=@W"};

struct Carrier {
  std::string_view name, file, text, separator, quote;
};
/// Where files give options. @O: the words of an option, each in quotes, between separators.
constexpr Carrier carriers[] = {
    {"launch header", "k.cu",
     "/*\n[lanescope]\ngrid = 1\nblock = 32\noptions = [@O]\n\n[buffers]\np = \"u32 i:32\"\n*/\n#define H \"empty.h\"\n"
     "#include H\n__global__ void k(unsigned* p) { p[threadIdx.x] = 1; }\n",
     ", ", "\""},
    {"project file", ".lanescope.toml", "[compile]\noptions = [@O]\n", ", ", "\""},
    {"compile_commands.json", "compile_commands.json",
     "[{\"directory\": \".\", \"file\": \"k.cu\", \"arguments\": [\"nvcc\", @O, \"-c\", \"k.cu\"]}]\n", ", ", "\""},
    {"Makefile", "Makefile", "NVCC = nvcc\nFLAGS := $(shell @C)\nk: k.cu\n\t$(NVCC) $(FLAGS) @O k.cu -o k; @C\n", " ",
     ""},
    {"CMakeLists.txt", "CMakeLists.txt",
     "execute_process(COMMAND sh -c \"@C\")\ninclude(@R)\nadd_executable(k k.cu)\ntarget_compile_options(k PRIVATE "
     "@O)\n",
     " ", "\""},
};

/// Texts of kernels.
constexpr std::string_view kernel_texts[] = {
    "#include \"@R\"\n__global__ void k(int* p) { p[threadIdx.x] = 1; }\n",
    "#include <@R>\n__global__ void k(int* p) { p[threadIdx.x] = 1; }\n",
    "#define S(x) #x\n#define H \"@R\"\n#include H\n__global__ void k(int* p) { p[threadIdx.x] = 1; }\n",
    "#include \"part.h\"\n__global__ void k(int* p) { p[threadIdx.x] = part(); }\n",
    "#line 1 \"@R\"\n__global__ void k(int* p) { p[threadIdx.x] = missing; }\n",
    "# 1 \"@R\" 1\n#warning here\n__global__ void k(int* p) { p[threadIdx.x] = missing; }\n",
    "#embed \"@R\"\n__global__ void k(int* p) { p[threadIdx.x] = 1; }\n",
    "__global__ void k(int* p) { asm volatile(\".include \\\"@R\\\";\"); p[threadIdx.x] = 1; }\n",
    "__global__ void k(int* p) { asm volatile(\".file 7 \\\"@R\\\"\\n.loc 7 1 1\\n\"); p[threadIdx.x] = 1; }\n",
    "asm(\".file 7 \\\"@R\\\"\");\n__global__ void k(int* p) { p[threadIdx.x] = 1; }\n",
    "#pragma GCC dependency \"@R\"\n__global__ void k(int* p) { p[threadIdx.x] = 1; }\n",
    "/*\n[lanescope]\ngrid = 1\nblock = 32\n\n[buffers]\np = { type = \"u8\", axes = \"i:32\", init = \"@R\" }\n*/\n"
    "__global__ void k(unsigned char* p) { p[threadIdx.x] = 1; }\n",
    "/*\n[lanescope]\ngrid = 1\nblock = 32\n\n[buffers]\np = { type = \"u8\", axes = \"i:32\", init = \"@R.npy\", "
    "expect = "
    "\"@R.npy\" }\n*/\n__global__ void k(unsigned char* p) { p[threadIdx.x] = 1; }\n",
    "#include <cstdio>\n#include <cstdlib>\n__global__ void k(int* p) { p[threadIdx.x] = 1; }\nint main() {\n  int* "
    "p;\n"
    "  system(\"@C\"); popen(\"@C\", \"r\"); remove(\"@W\");\n  FILE* f = fopen(\"@W\", \"w\"); fputs(\"x\", f); "
    "fclose(f);\n"
    "  FILE* r = fopen(\"@R\", \"r\"); int n = fgetc(r);\n  cudaMalloc(&p, 128);\n  k<<<1, 32>>>(p);\n"
    "  cudaDeviceSynchronize();\n}\n",
    "#include <filesystem>\n#include <fstream>\n__global__ void k(int* p, int n) { p[threadIdx.x] = n; }\nint main() "
    "{\n"
    "  std::ofstream(\"@W\") << 1; std::ifstream in(\"@R\"); int n; in >> n;\n  std::filesystem::remove_all(\"@V\");\n"
    "  int* p; cudaMalloc(&p, 128); k<<<1, 32>>>(p, n);\n}\n",
    "/*\n[lanescope]\ngrid = 1\nblock = 32\nkernel = \"k; @C\"\narch = \"sm_90 @R\"\n*/\n"
    "__global__ void k(int* p) { p[threadIdx.x] = 1; }\n",
    "__global__ void k(int* p) { if (threadIdx.x == 0) printf(\"\\033]0;@C\\007\\033[2J%s\\n\", \"@R\"); "
    "p[threadIdx.x] = 1; }\n",
};

/// Command lines of a lesson; in a fact and in a question.
constexpr std::string_view computed[] = {
    "check k.cu --via '@C; cat'",
    "check k.cu --sweep D:N=1,2 --array '@C'",
    "check k.cu --sweep D:N=1,2 --array 'sh {script}' --array-folder @V",
    "run k.cu --out p=@W",
    "render k.cu --view registers -o @W",
    "handout k.cu -o @W",
    "annotate k.cu -o @W",
    "annotate k.cu --in-place",
    "adopt k.cu -o @W",
    "plan --type u32 --from 'register: i0; thread: i1' --to 'register: i1; thread: i0' --emit @W",
    "plan @R",
    "measure k.cu -o @W",
    "check @R",
    "check k.cu --launch @R",
    "check k.cu --nvcc 'nvcc -include @R k.cu'",
    "check k.cu -- -include @R",
    "check k.cu -- --create-pch=@W",
    "run k.cu --json=@W",
    "explain @R",
    "lesson . --check",
    "lesson @V",
    "desktop-files @V",
    "child compile",
    "worker",
    "doctor --ptx"};

constexpr std::string_view lesson_of_fact =
    "# T\n\nText {n}.\n\n```facts\n[n]\ncompute = \"\"\"@L\"\"\"\nat = [\"x\"]\n```\n\n## P\n\nText.\n";
constexpr std::string_view lesson_of_question =
    "# T\n\nText.\n\n## P\n\n```question\nid = \"q\"\nkind = \"number\"\nask = \"?\"\ncompute = \"\"\"@L\"\"\"\n"
    "at = [\"x\"]\n```\n";

struct OtherText {
  Kind kind;
  std::string_view name, file, text;
};
constexpr OtherText others[] = {
    {Kind::lesson, "kernel of a moment", "lesson.md",
     "# T\n\nText.\n\n## P\n\n```moment\nkernel = \"@R\"\nline = 1\ntext = \"x\"\n```\n"},
    {Kind::lesson, "kernel of a question", "lesson.md",
     "# T\n\nText.\n\n## P\n\n```question\nid = \"q\"\nkind = \"code\"\nask = \"?\"\ncompute = \"check {file}\"\nat = "
     "[\"claims\", \"#\"]\nkernel = \"@R\"\nsolution = \"@R\"\nwant = \">= 0\"\n```\n"},
    {Kind::lesson, "a picture", "lesson.md", "# T\n\nText ![x](@R).\n\n## P\n\n![x](file://@R) <img src=\"@R\">\n"},
    {Kind::lesson, "moments of its kernel", "k.moments.toml",
     "[[moment]]\nname = \"m\"\nline = 1\ntext = \"x\"\nkernel = \"@R\"\npicture = \"@R\"\n"},
    {Kind::layout, "a layout", "design.toml",
     "name = \"@R\"\ntype = \"u32\"\nfrom = \"register: i0; thread: i1\"\nto = \"register: i1; thread: i0\"\nemit = "
     "\"@W\"\n"},
    {Kind::measurement, "a measurement", "m.json",
     "{\"version\": 1, \"kernel\": \"k\", \"file\": \"@R\", \"measured\": {\"device\": \"@C\", \"output\": \"@W\"}}\n"},
    {Kind::session, "a session", "session.json",
     "{\"version\": 1, \"file\": \"@R\", \"text\": \"x\", \"saved_text\": \"x\", \"arch\": \"sm_90\", \"seed\": 1, "
     "\"step\": 0, "
     "\"warp\": 0, \"line\": 1, \"view\": {}, \"layout\": {\"file\": \"@W\", \"text\": \"@R\", \"saved_text\": "
     "\"\"}}\n"},
    {Kind::ptx, "launch text", "k.toml",
     "kernel = \"k\"\ngrid = 1\nblock = 32\noptions = [\"-include\", \"@R\"]\nargs = [\"p\"]\n\n[buffers]\np = { type "
     "= \"u32\", "
     "axes = \"i:32\", init = \"@R.npy\" }\n"},
    {Kind::ptx, "files of PTX", "k.ptx",
     ".version 8.0\n.target sm_90\n.address_size 64\n.file 1 \"@R\"\n.include \"@R\"\n.visible .entry k(.param .u64 p) "
     "{\n"
     ".loc 1 1 1\nret;\n}\n"},
    {Kind::kernel, "contents by pickle", "x.npy",
     "\x93NUMPY\x01\x76{'descr': '|O', 'fortran_order': False, 'shape': (32,), }  cos\nsystem\n(S'@C'\ntR."},
    {Kind::kernel, "a header", "part.h", "#include \"@R\"\n__device__ inline int part() { return 1; }\n"},
    {Kind::kernel, "a header of a header", "part.h",
     "#pragma once\n#include \"deeper/@R\"\n#include \"@R\"\nint part();\n"},
};

/// A kernel may include what is C++ by its name from anywhere; a lesson is its folder.
const std::vector<std::string> secrets_of_kernels = {"secret", "secret.key", "secret.npy", "secret.toml"};
const std::vector<std::string> secrets_of_lessons = {"secret", "secret.cu", "secret.npy", "secret.toml", "secret.key"};

/// Beside every file.
constexpr std::string_view kernel_with_headers =
    "/*\n[lanescope]\ngrid = 1\nblock = 32\n\n[buffers]\np = { type = \"u32\", axes = \"i:32\", init = \"iota\" }\n*/\n"
    "#define H \"empty.h\"\n#include H\n#include \"part.h\"\n"
    "__global__ void k(unsigned* p) { p[threadIdx.x] = part(); }\n";
constexpr std::string_view plain_ptx =
    ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 p) {\nret;\n}\n";
constexpr std::string_view plain_lesson = "# T\n\nText.\n\n## P\n\n```moment\nkernel = \"k.cu\"\nname = \"m\"\n```\n";

std::string replaced(std::string text, std::string_view what, std::string_view by) {
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += by.size())
    text.replace(at, what.size(), by);
  return text;
}

void write(const fs::path& path, std::string_view text) {
  fs::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary) << text;
}

std::string words_of_option(std::string_view option, const Carrier& in) {
  std::string out;
  std::istringstream words{std::string(option)};
  for (std::string word; std::getline(words, word, '|');)
    out += fmt::format("{}{}{}{}", out.empty() ? "" : in.separator, in.quote, word, in.quote);
  return out;
}

struct Tried {
  Kind kind = Kind::kernel;
  std::string name, file, text;
};

std::vector<Tried> all_tried() {
  std::vector<Tried> out;
  for (const Carrier& carrier : carriers)
    for (const std::string_view option : options)
      out.push_back({.kind = Kind::kernel,
                     .name = fmt::format("{} in {}", option, carrier.name),
                     .file = std::string(carrier.file),
                     .text = replaced(std::string(carrier.text), "@O", words_of_option(option, carrier))});
  for (const std::string_view text : kernel_texts)
    out.push_back(
        {.kind = Kind::kernel, .name = std::string(text.substr(0, 200)), .file = "k.cu", .text = std::string(text)});
  for (const std::string_view line : computed)
    for (const bool fact : {true, false})
      out.push_back({.kind = Kind::lesson,
                     .name = fmt::format("{} in a {}", line, fact ? "fact" : "question"),
                     .file = "lesson.md",
                     .text = replaced(std::string(fact ? lesson_of_fact : lesson_of_question), "@L", line)});
  for (const OtherText& o : others)
    out.push_back(
        {.kind = o.kind, .name = std::string(o.name), .file = std::string(o.file), .text = std::string(o.text)});
  return out;
}

}  // namespace

Ground::Ground(fs::path in) : root(std::move(in)) {
  for (const char* name : {"projects", "secrets", "victims", "out", "home", "tmp", "cache", "state"})
    fs::create_directories(root / name);
  for (const std::string& name : secrets_of_lessons) write(secrets / name, "#error the secret is out\n");
  write(victims / "precious", "precious\n");
  write(root / "home" / ".profile", "# of the shell\n");
}

std::string Ground::state_of_victims() const {
  std::vector<std::string> lines;
  for (const fs::path& folder : {victims, root / "home"})
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
      std::ostringstream all;
      if (entry.is_regular_file()) all << std::ifstream(entry.path(), std::ios::binary).rdbuf();
      lines.push_back(entry.path().string() + ": " + all.str());
    }
  std::ranges::sort(lines);
  std::string out;
  for (const std::string& line : lines) out += line + "\n";
  return out;
}

std::string Ground::environment() const {
  return fmt::format(
      "env -u DISPLAY -u WAYLAND_DISPLAY -u LANESCOPE_COMPILE_CACHE HOME='{0}/home' XDG_CACHE_HOME='{0}/cache' "
      "XDG_STATE_HOME='{0}/state' "
      "XDG_CONFIG_HOME='{0}/home' TMPDIR='{0}/tmp'",
      root.string());
}

std::vector<Hostile> hostile_files(const Ground& ground, std::size_t count, unsigned seed) {
  const std::vector<Tried> tried = all_tried();
  std::mt19937 random(seed);
  const auto one_of = [&](const std::vector<std::string>& all) { return all[random() % all.size()]; };
  std::vector<Hostile> out;
  for (std::size_t n = 0; n < count; ++n) {
    const Tried& t = tried[n % tried.size()];
    const fs::path folder = ground.projects / fmt::format("{:03}", n);
    fs::create_directories(folder / ".git");
    fs::create_directories(folder / "deeper");
    write(folder / "empty.h", "");
    write(folder / "part.h", "__device__ inline int part() { return 1; }\n");
    write(folder / "k.cu", replaced(std::string(kernel_with_headers), "iota", t.file == "x.npy" ? "x.npy" : "iota"));
    if (t.kind == Kind::ptx)
      write(folder / "k.ptx", plain_ptx), write(folder / "k.toml", "kernel = \"k\"\ngrid = 1\nblock = 32\n");
    if (t.kind == Kind::lesson) write(folder / "lesson.md", plain_lesson);
    const std::string name = one_of(t.kind == Kind::lesson ? secrets_of_lessons : secrets_of_kernels);
    fs::create_symlink(ground.secrets / name, folder / ("link-" + name));
    fs::create_symlink(ground.secrets, folder / "links");
    fs::create_symlink(ground.victims / "precious", folder / "link-precious");
    const std::string read = one_of({(ground.secrets / name).string(), "../../secrets/" + name, "link-" + name,
                                     "links/" + name, "deeper/../../../secrets/" + name, "/etc/passwd"});
    const std::string written =
        one_of({(ground.victims / "precious").string(), "../../victims/precious", "link-precious",
                fmt::format("{}/new-{}", ground.victims.string(), n), "../../home/.profile"});
    const std::string command = fmt::format("touch {}/ran-{}", ground.victims.string(), n);
    std::string text = t.text;
    text = replaced(std::move(text), "@R", read);
    text = replaced(std::move(text), "@W", written);
    text = replaced(std::move(text), "@V", ground.victims.string());
    text = replaced(std::move(text), "@C", command);
    write(folder / t.file, text);
    constexpr std::string_view names[] = {"k.cu", "k.ptx", "", "design.toml", "m.json", "session.json"};
    const std::string_view opened = names[static_cast<std::size_t>(t.kind)];
    out.push_back({.kind = t.kind,
                   .opened = opened.empty() ? folder : folder / opened,
                   .tries = fmt::format("{} with @R = {}, @W = {}", t.name, read, written)});
  }
  return out;
}

}  // namespace lanescope::security
