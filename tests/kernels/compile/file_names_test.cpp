// Names of a file and of its folder change nothing: the same program comes out, at the same lines, with the
// same words, and the names in them are the user's.

#include "kernels/compile/file_names.h"

#include <fmt/format.h>

#include <random>
#include <set>

#include "kernels/base/plain_name.h"
#include "kernels/compile/compile_log.h"
#include "tests/kernels/compile/files.h"
#include "tests/kernels/source/source_files.h"
#include "tests/name_of_plain.h"
#include "tests/rounds.h"

namespace lanescope::compile {
namespace {

using source::read_well;
using source::Source;
using source::words;

namespace fs = std::filesystem;

/// Names that a file may have, and that at least one compiler, assembler, shell or parser does not take.
const std::vector<std::string> hard_names = {"grün",
                                             "a b",
                                             "a\"b",
                                             "a\\b",
                                             "a\\\"b",
                                             "a\nb",
                                             "100%",
                                             "50%25",
                                             "-x",
                                             "--help",
                                             "lanescope-probe",
                                             "it's",
                                             "lanescope.probe 0 var=1 off=0 size=4 %r1",
                                             "a, b",
                                             "x(3): error: y",
                                             "\xfc",
                                             "a;b",
                                             "$HOME",
                                             "/*",
                                             "//",
                                             "\\n",
                                             "\\303\\274",
                                             "#line 1",
                                             "?? /",
                                             "(1)",
                                             "a\tb",
                                             "名前",
                                             "lanescope",
                                             "lanescope-source",
                                             "."};

std::string random_name(std::mt19937& random) {
  static constexpr std::string_view harmful = "\"\\\n\t %-'<>();#$\xc3\xbc*?,=@!~`|&{}[]";
  std::string name;
  for (unsigned left = 1 + random() % 10; left > 0; --left) {
    char c = random() % 2 == 0 ? harmful[random() % harmful.size()] : static_cast<char>(1 + random() % 255);
    if (c == '/') c = '"';
    name += c;
  }
  return name;
}

/// Names without what a directory entry cannot have.
std::vector<std::string> names_of_folders(unsigned seed, int random_ones) {
  std::vector<std::string> out;
  for (const std::string& name : hard_names)
    if (name != "." && name.find('/') == std::string::npos) out.push_back(name);
  std::mt19937 random(seed);
  for (int i = 0; i < random_ones; ++i) {
    out.push_back(random_name(random));
    if (out.back() == "." || out.back() == "..") out.back() += "x";
  }
  return out;
}

/// A name that an #include can have: NVRTC ends a directive at a byte of 255.
std::string header_name(std::string name) {
  for (char& c : name)
    if (c == '"' || c == '>' || c == '\xff' || (c >= 0 && c < ' ' && c != '\t')) c = '\'';
  // A log cannot be read where a name in it looks like a place and a message.
  if (const std::size_t place = name.find("): "); place != std::string::npos) name[place + 1] = '.';
  return name + ".h";
}

std::string kernel_with(const std::string& header, const std::string& searched) {
  return "#include \"" + header + "\"\n#include <" + searched +
         ">\n__global__ void f(int* p) {\n  int x = beside(p[0]);\n  int y = far(p[1]);\n  p[2] = x + y;\n"
         "  // y has register assignment:\n  //   register: i0\n}\n";
}
constexpr const char* beside = "__device__ __noinline__ int beside(int a) {\n  return a * a + 1;\n}\n";
constexpr const char* far = "__device__ inline int far(int a) {\n  return a * 3;\n}\n";

/// Each PTX with files called by what they are: the user's own, the header beside it, the one far away.
std::string with_roles(const std::string& ptx, const std::string& own, const std::string& header,
                       const std::string& searched) {
  return rename_files(ptx, [&](std::string_view f) {
    const std::string name = name_of_plain(f);
    if (f == plain_name(own)) return std::string("the user's");
    if (name.ends_with("/" + header)) return std::string("beside it");
    if (name.ends_with("/" + searched)) return std::string("far away");
    return std::string(f);
  });
}

struct Compiles {
  std::string plain, probed;
  bool operator==(const Compiles&) const = default;
};

Compiles compiles(const Files& files, const std::string& folder, const std::string& file, const std::string& header,
                  const std::string& searched) {
  files.write(folder + "/" + header, beside);
  files.write(folder + " far/" + searched, far);
  const std::string path = (files.folder / folder / file).string();
  const Source s = read_well(kernel_with(header, searched), path);
  const Options options{.extra = {"-I../" + folder + " far"}};
  Compiles out;
  for (const Variant variant : {Variant::plain, Variant::probed}) {
    const Expected<Outcome> o = compile(s, variant, options);
    EXPECT_TRUE(o) << path << "\n" << (o ? "" : words(o.error()));
    if (!o) return out;
    EXPECT_TRUE(o->dropped_probes.empty());
    EXPECT_TRUE(o->compiled.warnings.empty()) << words(o->compiled.warnings);
    (variant == Variant::plain ? out.plain : out.probed) = with_roles(o->compiled.ptx, path, header, searched);
  }
  return out;
}

TEST(FileNames, ChangeNothingInTheProgram) {
  NEEDS_NVRTC();
  const Files files;
  const Compiles expected = compiles(files, "folder", "k.cu", "h.h", "searched.h");
  EXPECT_NE(expected.plain.find("\"the user's\""), std::string::npos);
  EXPECT_NE(expected.plain.find("\"beside it\""), std::string::npos);
  EXPECT_NE(expected.probed.find("\"lanescope-probe\""), std::string::npos);
  const std::vector<std::string> names = names_of_folders(16, test_rounds(3));
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::string& name = names[i];
    const std::string header = header_name(names[(i + 1) % names.size()]);
    const std::string searched = header_name("far " + names[(i + 2) % names.size()]);
    const Compiles found = compiles(files, name, names[(i + 3) % names.size()] + ".cu", header, searched);
    ASSERT_EQ(found.plain, expected.plain) << i << ": " << plain_name(name) << " " << plain_name(header);
    ASSERT_EQ(found.probed, expected.probed) << i << ": " << plain_name(name) << " " << plain_name(header);
  }
}

// The working folder of the program is passed to the compiler, too, if a name is relative.
TEST(FileNames, TheWorkingFolderMayBeCalledAnything) {
  NEEDS_NVRTC();
  const Files files;
  const fs::path before = fs::current_path();
  std::set<std::string> plain, probed;
  for (const std::string name : {"plain", "say \"ü\"", "a\\b\n%"}) {
    files.write(name + "/h.h", beside);
    fs::current_path(files.folder / name);
    const Source s =
        read_well("#include \"h.h\"\n__global__ void f(int* p) {\n  int x = beside(p[0]);\n  p[1] = x;\n}\n");
    const Expected<Outcome> one = compile(s, Variant::plain, {}), other = compile(s, Variant::probed, {});
    fs::current_path(before);
    ASSERT_TRUE(one) << words(one.error());
    ASSERT_TRUE(other) << words(other.error());
    plain.insert(one->compiled.ptx), probed.insert(other->compiled.ptx);
  }
  EXPECT_EQ(plain.size(), 1U);
  EXPECT_EQ(probed.size(), 1U);
  EXPECT_NE(plain.begin()->find("\"k.cu\""), std::string::npos);
  EXPECT_NE(plain.begin()->find("\"h.h\""), std::string::npos);
}

TEST(FileNames, ErrorsStandAtTheUsersPlaceUnderTheUsersName) {
  NEEDS_NVRTC();
  const Files files;
  const std::vector<std::string> names = names_of_folders(17, test_rounds(2));
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::string &folder = names[i], header = header_name(names[(i + 1) % names.size()]);
    const std::string path = (files.folder / folder / (names[(i + 2) % names.size()] + ".cu")).string();
    files.write(folder + "/" + header, "inline __device__ int g() {\n  return missing_in_header;\n}\n");
    files.write(folder + "/first " + header, "\n__device__ int twice;\n");
    const std::string text = "#include \"first " + header +
                             "\"\n__device__ float twice;\n__global__ void f(int* p) {\n  int x = missing;\n"
                             "  p[0] = x + (int)twice;\n}\n";
    for (const Variant variant : {Variant::plain, Variant::probed}) {
      const Expected<Outcome> o = compile(read_well(text, path), variant, {});
      ASSERT_FALSE(o);
      ASSERT_EQ(o.error().size(), 2U) << words(o.error());
      const Diagnostic &redeclared = o.error()[0], &missing = o.error()[1];
      EXPECT_EQ(redeclared.file, path);
      EXPECT_EQ(redeclared.line, 2);
      const std::string place = "at line 2 of " + (files.folder / folder / ("first " + header)).string() + ")";
      EXPECT_NE(redeclared.message.find(place), std::string::npos) << redeclared.message << "\n" << place;
      EXPECT_EQ(missing.file, path);
      EXPECT_EQ(missing.line, 4);
      EXPECT_EQ(missing.column, 11);
      const Expected<Outcome> h = compile(
          read_well("#include \"" + header + "\"\n__global__ void f(int* p) { p[0] = g(); }\n", path), variant, {});
      ASSERT_FALSE(h);
      EXPECT_EQ(h.error()[0].file, (files.folder / folder / header).string());
      EXPECT_EQ(h.error()[0].line, 2) << words(h.error());
      EXPECT_NE(h.error()[0].message.find("missing_in_header"), std::string::npos);
    }
    const Expected<Outcome> none =
        compile(read_well("#include \"absent.h\"\n__global__ void f(int* p) { p[0] = of_absent(); }\n", path),
                Variant::plain, {});
    ASSERT_FALSE(none);
    EXPECT_EQ(none.error().back().line, 2) << words(none.error());
    EXPECT_EQ(none.error().back().file, path);
  }
}

// A folder that is removed and made again is another folder, whose headers are read.
TEST(FileNames, AFolderMadeAnewIsReadAnew) {
  NEEDS_NVRTC();
  const Files files;
  for (const int value : {4711, 4712, 4713}) {
    fs::remove_all(files.folder / "k");
    files.write("k/v.h", fmt::format("#define V {}\n", value));
    const Source s =
        read_well("#include \"v.h\"\n__global__ void f(int* p) { p[0] = V; }\n", (files.folder / "k/k.cu").string());
    const Expected<Outcome> o = compile(s, Variant::plain, {});
    ASSERT_TRUE(o) << words(o.error());
    EXPECT_NE(o->compiled.ptx.find(fmt::format(" {};", value)), std::string::npos);
  }
}

// As nvcc does: what lies beside the includer goes before the folders of -I where the name stands in quotes.
TEST(FileNames, TheOrderOfSearchIsTheCompilersOwn) {
  NEEDS_NVRTC();
  const Files files;
  files.write("k/v.h", "#define V 4711\n");
  files.write("other/v.h", "#define V 4712\n");
  for (const auto& [include, value] : {std::pair("\"v.h\"", 4711), std::pair("<v.h>", 4712)}) {
    const Source s = read_well(fmt::format("#include {}\n__global__ void f(int* p) {{ p[0] = V; }}\n", include),
                               (files.folder / "k/k.cu").string());
    const Expected<Outcome> o = compile(s, Variant::plain, {.extra = {"-I../other"}});
    ASSERT_TRUE(o) << words(o.error());
    EXPECT_NE(o->compiled.ptx.find(fmt::format(" {};", value)), std::string::npos) << include;
  }
}

TEST(FileNames, StoredPtxIsFoundUnderEveryName) {
  const Files files;
  for (const std::string& name : names_of_folders(18, 20)) {
    files.write(name + "/keep", "");
    const std::string path = (files.folder / name / (name + ".cu")).string();
    const Source s = read_well("__global__ void f(int* p) { p[0] = 1; }\n", path);
    Outcome made;
    made.compiled.ptx =
        fmt::format(".version 9.0\n\t.file\t1 \"{}\"\n\t.file\t2 \"lanescope-probe\"\n", plain_name(path));
    made.compiled.made_by = "NVRTC 13.0";
    made.compiled.entry_names = {"f"};
    ASSERT_TRUE(store(s, Variant::probed, {}, made)) << plain_name(name);
    const std::optional<Compiled> back = find_stored(s, Variant::probed, {});
    ASSERT_TRUE(back) << plain_name(name);
    EXPECT_EQ(back->ptx, made.compiled.ptx);
    // Moved elsewhere it is still the same.
    const std::string elsewhere = (files.folder / (name + " moved")).string();
    fs::rename(files.folder / name, elsewhere);
    const Source moved = read_well(s.text, elsewhere + "/" + name + ".cu");
    const std::optional<Compiled> there = find_stored(moved, Variant::probed, {});
    ASSERT_TRUE(there) << plain_name(name);
    EXPECT_NE(there->ptx.find("\"" + plain_name(moved.file) + "\""), std::string::npos);
  }
}

TEST(Log, NamesWithAWordOfTheCompilersInThem) {
  const CompileLog log = read_log("a: error: b/x: warning: y.h(12): error: it is wrong\n  x\n  ^\n", "k.cu", "");
  ASSERT_EQ(log.diagnostics.size(), 1U);
  EXPECT_EQ(log.diagnostics[0].file, "a: error: b/x: warning: y.h");
  EXPECT_EQ(log.diagnostics[0].line, 12);
  EXPECT_EQ(log.diagnostics[0].message, "it is wrong");
}

}  // namespace
}  // namespace lanescope::compile
