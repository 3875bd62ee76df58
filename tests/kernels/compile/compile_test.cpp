// The compiler with what this machine has. Without NVRTC the tests that need it say so and are skipped.

#include "kernels/compile/compile.h"
#include "kernels/base/plain_name.h"
#include "kernels/compile/compile_log.h"
#include "kernels/compile/file_names.h"
#include "kernels/compile/local_headers.h"
#include "kernels/compile/texts.h"
#include "tests/kernels/compile/files.h"
#include "tests/kernels/compile/outcomes.h"
#include "tests/kernels/source/source_files.h"

namespace lanescope::compile {
namespace {

using source::data_path;
using source::read_data;
using source::read_well;
using source::Source;
using source::words;

int count(const std::string& text, const std::string& what) {
  int n = 0;
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++n;
  return n;
}

/// The folder that the sources lie in may have any name.
std::string without_file_names(const std::string& ptx) {
  return rename_files(ptx, [](std::string_view) { return ""; });
}

Both both(const Source& s) {
  Expected<Both> b = compile_both(s, {});
  EXPECT_TRUE(b.has_value()) << s.file << "\n" << (b ? "" : words(b.error()));
  return b ? std::move(*b) : Both{};
}

TEST(Compile, TheHalf2KernelInBothVariants) {
  NEEDS_NVRTC();
  const Source s = read_data("half2_notes.cu");
  const Both b = both(s);
  EXPECT_TRUE(b.probed.dropped_probes.empty());
  ASSERT_EQ(b.plain.compiled.entry_names.size(), 1U);
  EXPECT_EQ(b.plain.compiled.entry_names, b.probed.compiled.entry_names);
  EXPECT_GT(b.plain.compiled.resources.at(b.plain.compiled.entry_names[0]).registers, 0);
  EXPECT_EQ(count(without_file_names(b.plain.compiled.ptx), "lanescope"), 0);
  // Four claims of four words and a word for each watched assignment.
  EXPECT_EQ(count(b.probed.compiled.ptx, "// lanescope.probe 0 var="), 4);
  EXPECT_GT(count(b.probed.compiled.ptx, " off=0 size=4 %r"), 16);
}

TEST(Compile, EveryStatementShapeTakesItsProbes) {
  NEEDS_NVRTC();
  std::string text = source::file_text(data_path("statement_shapes.cu"));
  text.insert(0,
              "/*\n[lanescope]\nkernel = \"shapes<float, 4>\"\n[[launch]]\n[[launch]]\nkernel = \"shapes<int, "
              "2>\"\n[[launch]]\nkernel = \"plain\"\n*/\n");
  const Source s = read_well(text, data_path("statement_shapes.cu"));
  const Both b = both(s);
  EXPECT_TRUE(b.probed.dropped_probes.empty()) << b.probed.dropped_probes.front();
  EXPECT_EQ(b.plain.compiled.entry_names.size(), 3U);
  EXPECT_EQ(b.plain.compiled.entry_names[2], "plain");
  EXPECT_EQ(b.plain.compiled.entry_names, b.probed.compiled.entry_names);
}

TEST(Compile, FilesWithHostCode) {
  NEEDS_NVRTC();
  std::string text = source::file_text(data_path("host_and_device.cu"));
  text.insert(0, "// [lanescope]\n// kernel = \"scale<float, 2>\"\n\n");
  const Both b = both(read_well(text, data_path("host_and_device.cu")));
  EXPECT_EQ(b.plain.compiled.entry_names.size(), 1U);
}

TEST(Compile, TypesThatNvccUsersTakeForGranted) {
  NEEDS_NVRTC();
  both(
      read_well("#include <cstdint>\n#include <cassert>\n#include <cmath>\n#include <climits>\n#include <algorithm>\n"
                "__global__ void f(uint* p, uint64_t n, ushort s, size_t z) { assert(n < UINT_MAX); p[0] = uint(n) + s "
                "+ sqrtf(2.f) + z; int8_t q = -1; p[1] = q; }\n"));
}

TEST(Compile, TensorMapsArePartsOfParameters) {
  NEEDS_NVRTC();
  const Source s = read_well(
      "#include <cuda.h>\n#include <cudaTypedefs.h>\nstruct Maps { CUtensorMap a, b; };\n"
      "__global__ void f(const __grid_constant__ CUtensorMap m, const __grid_constant__ Maps n, int* p) {\n"
      "  p[0] = alignof(CUtensorMap) + sizeof(m);\n}\n");
  const Expected<Outcome> o = compile(s, Variant::plain, {});
  ASSERT_TRUE(o) << words(o.error());
  EXPECT_NE(o->compiled.ptx.find("_param_1[256]"), std::string::npos) << o->compiled.ptx;
  EXPECT_NE(o->compiled.ptx.find(", 192;"), std::string::npos) << o->compiled.ptx;
}

TEST(Compile, ATextMayEndInABackslash) {
  NEEDS_NVRTC();
  for (const char* end : {"", "\n", "\r\n"}) {
    const Expected<Outcome> o = compile(
        read_well(std::string("__global__ void f(int* p) { p[0] = 1; }\n#define M(x) x \\") + end), Variant::plain, {});
    EXPECT_TRUE(o) << words(o.error());
  }
}

TEST(Compile, SyntaxErrorsStandAtTheUsersPlace) {
  NEEDS_NVRTC();
  const Source s = read_well("__global__ void f(int* p) {\n  int x = p[0];\n\tint y = x + missing;\n  p[1] = y;\n}\n",
                             "some dir/k.cu");
  const Expected<Both> b = compile_both(s, {});
  ASSERT_FALSE(b);
  EXPECT_EQ(to_string(b.error().front()).substr(0, 19), "some dir/k.cu:3:14:");
  EXPECT_NE(b.error().front().message.find("missing"), std::string::npos);
  const Expected<Outcome> probed = compile(s, Variant::probed, {});
  ASSERT_FALSE(probed);
  EXPECT_EQ(probed.error().front().line, 3);  // probes shift nothing
}

TEST(Compile, AProbeThatDoesNotCompileIsDroppedAlone) {
  NEEDS_NVRTC();
  // The address of such a struct must not be taken; a probe does where it has more than two words.
  const auto compiled = [](const std::string& members) {
    const Source s = read_well("struct S { int " + members +
                               "; S* operator&() const = delete; };\n__global__ void f(int* p) {\n  int x = p[0];\n"
                               "  S v; v.a = x;\n  int y = x + v.a;\n  p[1] = y;\n}\n");
    return compile(s, Variant::probed, {});
  };
  const Expected<Outcome> large = compiled("a, b, c"), small = compiled("a, b");
  ASSERT_TRUE(large) << words(large.error());
  EXPECT_EQ(large->dropped_probes.size(), 1U);
  EXPECT_EQ(count(large->compiled.ptx, "lanescope.probe"), 2);
  ASSERT_TRUE(small) << words(small.error());
  EXPECT_EQ(small->dropped_probes.size(), 0U);
  EXPECT_EQ(count(small->compiled.ptx, "lanescope.probe"), 4);
}

TEST(Compile, PtxIsTheSameWithAndWithoutTheAssembler) {
  NEEDS_NVRTC();
  const std::string half2 = source::file_text(data_path("half2_notes.cu"));
  const std::string dynamic =
      "__global__ void g(int* p) { p[0] = 1; }\n__global__ void f(int* p) { g<<<1, 1>>>(p); }\n";
  const struct {
    std::string text, arch;
    std::vector<std::string> extra;
  } cases[] = {{half2, "sm_90", {}},
               {half2, "sm_75", {"-maxrregcount=32", "-use_fast_math"}},
               {half2, "sm_100a", {"-Xptxas", "-dlcm=cg"}},
               {half2, "sm_120", {"-G"}},
               {half2, "sm_999", {}},
               {dynamic, "sm_90", {}}};
  for (const auto& [text, arch, extra] : cases) {
    const Source s = read_well(text, data_path("half2_notes.cu"));
    const auto in_words = [&](bool assembled) {
      const Expected<Outcome> o = compile(s, Variant::probed, {.arch = arch, .extra = extra, .assembled = assembled});
      EXPECT_TRUE(o) << (o ? "" : words(o.error()));
      if (!o) return std::string();
      EXPECT_EQ(o->compiled.resources.empty(), !assembled) << arch;
      EXPECT_EQ(o->compiled.cubin.empty(), !assembled) << arch;
      std::string out = o->compiled.ptx + o->compiled.arch;
      for (const std::string& e : o->compiled.entry_names) out += ' ' + e;
      return out;
    };
    const std::string with = in_words(true);
    EXPECT_NE(with.find(".target"), std::string::npos);
    EXPECT_EQ(difference(in_words(false), with), "") << arch;
  }
}

TEST(Compile, WhatTheAssemblerRefusesIsLeftOutOfBothVariants) {
  NEEDS_NVRTC();
  const std::string text =
      "__global__ void never(int* p) { asm volatile(\"not.an.instruction;\"); p[0] = 1; }\n"
      "__global__ void f(int* p) { int x = p[0]; p[1] = x; }\n";
  const Source s = read_well("// [lanescope]\n// kernel = \"f\"\n" + text, "k.cu");
  const Expected<Both> b = compile_both(s, {});
  const Expected<Outcome> probed = compile(s, Variant::probed, {});
  ASSERT_TRUE(b) << words(b.error());
  ASSERT_TRUE(probed) << words(probed.error());
  EXPECT_TRUE(b->plain.assembler_refused);
  EXPECT_EQ(count(b->plain.compiled.ptx, ".entry"), 1);
  EXPECT_EQ(difference(b->probed.compiled.ptx, probed->compiled.ptx), "");
  // Of a kernel that is launched it is an error, which the plain compile says.
  EXPECT_FALSE(compile_both(read_well("// [lanescope]\n// kernel = \"never\"\n" + text, "k.cu"), {}));
}

TEST(Compile, UnknownArchitecturesFallBackWithANote) {
  NEEDS_NVRTC();
  const Source s = read_well("__global__ void f(int* p) { p[0] = 1; }\n");
  const Expected<Outcome> o = compile(s, Variant::plain, {.arch = "sm_999", .extra = {}});
  ASSERT_TRUE(o) << words(o.error());
  EXPECT_NE(words(o->compiled.warnings).find("does not support sm_999"), std::string::npos);
}

TEST(Compile, AnEditedHeaderIsSeenWhereverItStands) {
  NEEDS_NVRTC();
  const Files files;
  files.write("k/beside.h", "#define A 1\n#include \"../up/nested.h\"\n");
  files.write("up/nested.h", "#define B 1\n");
  files.write("searched/far.h", "#define C 1\n");
  files.write("k/by_macro.h", "#define D 1\n");
  const std::string text =
      "/*\n[lanescope]\noptions = [\"-I../searched\"]\n*/\n#include \"beside.h\"\n#include <far.h>\n"
      "#define NAME \"by_macro.h\"\n#if __has_include(\"new.h\")\n#define E 1\n#else\n#define E 0\n#endif\n%s"
      "__global__ void f(int* p) { p[0] = A + 10 * B + 100 * C + 1000 * D + 10000 * E; }\n";
  const auto stored = [&](const std::string& by_macro) {
    std::string full = text;
    full.replace(full.find("%s"), 2, by_macro);
    const Expected<source::Source> s = source::read((files.folder / "k/k.cu").string(), full);
    EXPECT_TRUE(s) << words(s.error());
    const Expected<Outcome> o = compile(*s, Variant::plain, {});
    EXPECT_TRUE(o) << words(o.error());
    const std::size_t at = o->compiled.ptx.find("st.global");
    const std::string& ptx = o->compiled.ptx;
    const std::size_t move = ptx.find("mov.");
    return at == std::string::npos ? "" : ptx.substr(move == std::string::npos ? at : move, 400);
  };
  const auto is = [&](int value, const std::string& by_macro) {
    const std::string found = stored(by_macro);
    EXPECT_NE(found.find(" " + std::to_string(value) + ";"), std::string::npos) << value << "\n" << found;
  };
  const std::string literal = "#include \"by_macro.h\"\n", macro = "#include NAME\n";
  for (const std::string& by : {literal, macro}) {
    files.write("k/by_macro.h", "#define D 1\n");
    std::filesystem::remove(files.folder / "k/new.h");
    is(1111, by);
    is(1111, by);  // from what was precompiled
    files.write("k/by_macro.h", "#define D 2\n");
    is(2111, by);
    files.write("up/nested.h", "#define B 3\n");
    is(2131, by);
    files.write("searched/far.h", "#define C 4\n");
    is(2431, by);
    files.write("k/far.h", "#define C 5\n");
    const std::string shadowed = stored(by);  // whichever comes first, it is the same one every time
    EXPECT_EQ(stored(by), shadowed);
    std::filesystem::remove(files.folder / "k/far.h");
    is(2431, by);
    files.write("k/new.h", "");
    is(12431, by);
    files.write("up/nested.h", "#define B 1\n");
    files.write("searched/far.h", "#define C 1\n");
  }
}

TEST(LocalHeaders, NamesAreFoundInEverySpelling) {
  const Files files;
  files.write("a.h", "one");
  const auto key = [&](const std::string& text) { return local_headers(text, files.folder, {}); };
  const LocalHeaders plain = key("#include \"a.h\"\n");
  EXPECT_TRUE(plain.known);
  EXPECT_FALSE(plain.key.empty());
  for (const char* same : {"# include <a.h>", "  #\tinclude\t\"a.h\"", "%:include \"a.h\"", "#inc\\\nlude \"a.h\"",
                           "# /* x */ include /* y */ \"a.h\"", "#include_next <a.h>", "#if __has_include(<a.h>)",
                           "#import \"a.h\"", "#if 0\n#include \"a.h\"\n#endif", "#include \"././a.h\""})
    EXPECT_EQ(key(same), plain) << same;
  EXPECT_FALSE(key("#include NAME\n").known);
  EXPECT_FALSE(key("#ifdef __has_include\n").known);
  EXPECT_EQ(key("#include \"absent.h\"\n#define include x\nint includes;"), LocalHeaders{});
  files.write("a.h", "two");
  EXPECT_NE(key("#include \"a.h\"\n"), plain);
  files.write("a.h", "#include \"a.h\"\n#include \"b/c.h\"\n");  // a circle
  const LocalHeaders before = key("#include \"a.h\"\n");
  files.write("b/c.h", "");
  EXPECT_NE(key("#include \"a.h\"\n"), before);
  std::filesystem::create_directories(files.folder / "d.h");
  EXPECT_EQ(key("#include \"d.h\"\n"), LocalHeaders{});
}

TEST(Compile, MissingKernelInstancesAreNamed) {
  NEEDS_NVRTC();
  const Source s = read_well("template <class... T> __global__ void f(int* p) { p[0] = sizeof...(T); }\n");
  const Expected<Outcome> o = compile(s, Variant::plain, {});
  ASSERT_FALSE(o);
  EXPECT_NE(words(o.error()).find("a template needs its arguments"), std::string::npos);
}

TEST(Stored, RoundTripWithoutNvrtc) {
  const std::string folder = ::testing::TempDir() + "/stored";
  std::filesystem::create_directories(folder);
  const Source s = read_well("__global__ void f(int* p) { int x = p[0]; p[1] = x; }\n", folder + "/k.cu");
  const Options without{.arch = "sm_90", .extra = {}, .forbid_nvrtc = true};
  std::filesystem::remove(stored_path(s.file, Variant::plain));
  const Expected<Outcome> none = compile(s, Variant::plain, without);
  ASSERT_FALSE(none);
  EXPECT_NE(words(none.error()).find("NVRTC"), std::string::npos);
  EXPECT_NE(words(none.error()).find("install"), std::string::npos);
  Outcome made;
  made.compiled.ptx = ".version 9.0\n.target sm_90\n";
  made.compiled.made_by = "NVRTC 13.0";
  made.compiled.entry_names = {"_Z1fPi", "g"};
  made.compiled.resources = {{"_Z1fPi", {.registers = 18, .shared_bytes = 0, .spill_bytes = 8, .local_bytes = 24}},
                             {"g", {}}};
  ASSERT_TRUE(store(s, Variant::plain, without, made));
  const Expected<Outcome> back = compile(s, Variant::plain, without);
  ASSERT_TRUE(back);
  EXPECT_EQ(back->compiled.ptx, made.compiled.ptx);
  EXPECT_EQ(back->compiled.entry_names, made.compiled.entry_names);
  EXPECT_EQ(back->compiled.resources, made.compiled.resources);
  EXPECT_EQ(back->compiled.made_by, "stored PTX");
  // Another text, another architecture, another option: another key.
  EXPECT_FALSE(find_stored(read_well(s.text + "\n", s.file), Variant::plain, without));
  EXPECT_FALSE(find_stored(s, Variant::plain, {.arch = "sm_80", .extra = {}}));
  EXPECT_FALSE(find_stored(s, Variant::plain, {.arch = "sm_90", .extra = {"-DX"}}));
  EXPECT_EQ(stored_path("a/half2.cu", Variant::probed), "a/half2.probed.ptx");
}

// Stored PTX is of the headers that it was made from, wherever the folder lies; headers that are not included do not count.
TEST(Stored, AChangedHeaderMakesItStale) {
  const Files files;
  const std::string text = "#include \"sub/a.h\"\n#include \"b.h\"\n__global__ void f(int* p) { p[0] = A + B; }\n";
  Outcome made;
  made.compiled.ptx = ".version 9.0\n.target sm_90\n";
  const Options options{.arch = "sm_90", .extra = {"-Isearched"}};
  const auto found = [&](const std::string& folder) {
    return find_stored(read_well(text, (files.folder / folder / "k.cu").string()), Variant::plain, options).has_value();
  };
  files.write("k/sub/a.h", "#include \"c.h\"\n#define A C\n");
  files.write("k/sub/c.h", "#define C 1\n");
  files.write("k/searched/b.h", "#define B 2\n");
  ASSERT_TRUE(store(read_well(text, (files.folder / "k/k.cu").string()), Variant::plain, options, made));
  EXPECT_TRUE(found("k"));
  files.write("k/absent.h", "#define N 1\n");
  EXPECT_TRUE(found("k"));
  std::filesystem::copy(files.folder / "k", files.folder / "elsewhere", std::filesystem::copy_options::recursive);
  EXPECT_TRUE(found("elsewhere"));
  const std::pair<const char*, const char*> edits[] = {{"k/sub/a.h", "#include \"c.h\"\n#define A (C + 1)\n"},
                                                       {"k/sub/c.h", "#define C 3\n"},
                                                       {"k/searched/b.h", "#define B 4\n"}};
  for (const auto& [name, other] : edits) {
    const std::string before = source::file_text((files.folder / name).string());
    files.write(name, other);
    EXPECT_FALSE(found("k")) << name;
    files.write(name, before);
    EXPECT_TRUE(found("k")) << name;
  }
  std::filesystem::remove(files.folder / "k/sub/c.h");
  EXPECT_FALSE(found("k"));
  EXPECT_TRUE(found("elsewhere"));
}

TEST(Stored, SaysNothingAboutTheMachineThatMadeIt) {
  NEEDS_NVRTC();
  const std::string folder = ::testing::TempDir() + "/stored_names";
  std::filesystem::create_directories(folder);
  std::string text = source::file_text(data_path("half2_notes.cu"));
  const Source s = read_well(text, folder + "/half2.cu");
  const Expected<Outcome> o = compile(s, Variant::probed, {});
  ASSERT_TRUE(o);
  EXPECT_NE(o->compiled.ptx.find("\"" + plain_name(s.file) + "\""), std::string::npos);
  EXPECT_NE(o->compiled.ptx.find("\"lanescope-probe\""), std::string::npos);
  ASSERT_TRUE(store(s, Variant::probed, {}, *o));
  const std::string stored = source::file_text(stored_path(s.file, Variant::probed));
  EXPECT_NE(stored.find("\"half2.cu\""), std::string::npos);
  EXPECT_EQ(stored.find("\"/"), std::string::npos);
  const std::optional<Compiled> back = find_stored(s, Variant::probed, {});
  ASSERT_TRUE(back);
  EXPECT_NE(back->ptx.find("\"" + plain_name(s.file) + "\""), std::string::npos);
  EXPECT_EQ(back->entry_names, o->compiled.entry_names);
}

TEST(Log, ColumnsAndProbesAreFound) {
  const CompileLog log = read_log(
      "k.cu(2): error: identifier \"b\" is undefined\n  \tint a = b;\n  \t        ^\n\nk.cu(1): warning #177-D: "
      "variable \"c\" was declared\n  int c;\n      ^\n\n"
      "lanescope-prologue(13): error: no copy\n    memcpy(w);\n    ^\n          detected during instantiation of "
      "\"void read<7,3>\" at line 8 of lanescope-probe\n\n"
      "lanescope-probe(3): error: bad\n  x\n  ^\n\nptxas info    : Compiling entry function '_Z1f' for 'sm_90'\nptxas  "
      "       .     0 bytes stack frame, 16 bytes spill stores, 8 bytes spill loads\n"
      "ptxas info    : Used 18 registers, used 0 barriers, 4096 bytes smem\n"
      "ptxas info    : Function properties for _Z6helperi\n"
      "ptxas         .     40 bytes stack frame, 4 bytes spill stores, 4 bytes spill loads\n"
      "ptxas info    : Compiling entry function '_Z1g' for 'sm_90'\nptxas info    : Function properties for _Z1g\n"
      "ptxas         .     32 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
      "ptxas info    : Used 7 registers, used 1 barriers\n",
      "k.cu", "int c;\n\tint a = b;\n");
  ASSERT_GE(log.diagnostics.size(), 2U);
  EXPECT_EQ(to_string(log.diagnostics[0]), "k.cu:2:10: identifier \"b\" is undefined");
  EXPECT_EQ(log.diagnostics[1].column, 5);
  EXPECT_EQ(log.diagnostics[1].severity, Severity::warning);
  EXPECT_EQ(log.broken_probes, (std::vector<int>{2, 7}));
  EXPECT_EQ(log.resources.at("_Z1f").registers, 18);
  EXPECT_EQ(log.resources.at("_Z1f").shared_bytes, 4096);
  EXPECT_EQ(log.resources.at("_Z1f").spill_bytes, 16);
  EXPECT_EQ(log.resources.at("_Z1g"),
            (Resources{.registers = 7, .shared_bytes = 0, .spill_bytes = 0, .local_bytes = 32}));
  EXPECT_EQ(log.resources.size(), 2U);
  EXPECT_TRUE(log.user_error);
}

TEST(EntryNames, FoundByTheNameInTheSource) {
  const std::string ptx =
      ".visible .entry _Z4copyPf(\n.visible .entry plain(\n.visible .entry _ZN2ns3fooEi(\n.visible .entry "
      "_Z3barIiEvv(\n.visible .entry _Z3barIfEvv(\n";
  EXPECT_EQ(find_entry(ptx, "copy", 1), "_Z4copyPf");
  EXPECT_EQ(find_entry(ptx, "plain", 0), "plain");
  EXPECT_EQ(find_entry(ptx, "foo", 1), "_ZN2ns3fooEi");
  EXPECT_EQ(find_entry(ptx, "bar", 0), "");
  EXPECT_EQ(find_entry(ptx, "py", 1), "");
}

TEST(EntryNames, OverloadsDifferInTheirParameters) {
  const std::string ptx =
      ".visible .entry _Z3addPf(\n.param .u64 a\n)\n{\n}\n.visible .entry _Z3addPfi(\n.param .u64 a,\n.param .u32 "
      "b\n)\n{\n}\n";
  EXPECT_EQ(find_entry(ptx, "add", 1), "_Z3addPf");
  EXPECT_EQ(find_entry(ptx, "add", 2), "_Z3addPfi");
  EXPECT_EQ(find_entry(ptx, "add", 3), "");
}

}  // namespace
}  // namespace lanescope::compile
