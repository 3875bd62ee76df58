// A text includes what is none of its project's: nothing of it comes out, neither as words of the compiler nor as a value.

#include "kernels/compile/local_headers.h"

#include <algorithm>

#include <fmt/format.h>

#include "kernels/compile/calls/include_names.h"
#include "tests/kernels/compile/files.h"

namespace lanescope::compile {
namespace {

constexpr const char* plain_kernel = "extern \"C\" __global__ void k(int* q) { q[threadIdx.x] = VALUE; }\n";

struct Compiling {
  bool done = false;
  std::string words, ptx;
};

Compiling contained_compile(const Files& files, const std::string& name, const std::string& text,
                            const std::vector<std::string>& options = {}) {
  files.write(name, text);
  auto source = source::read((files.folder / name).string(), text, {.options = options});
  Compiling out;
  Diagnostics all;
  if (source) {
    all = source->notes;
    for (const std::string& o : options) source->header.compile.options.push_back(o);
    const auto done = compile(*source, Variant::plain, {.extra = {}, .cached = false});
    out.done = done.has_value();
    const Diagnostics& more = done ? done->compiled.warnings : done.error();
    all.insert(all.end(), more.begin(), more.end());
    if (done) out.ptx = done->compiled.ptx;
  } else {
    all = source.error();
  }
  for (const Diagnostic& d : all) out.words += to_string(d) + '\n';
  return out;
}

class Contained : public testing::Test {
 protected:
  Contained() {
    files_.write("project/.git/HEAD", "");
    files_.write("secret", "hunter2 = correct horse;\n");
    files_.write("number", "77031\n");
    files_.write("project/.netrc", "hunter2\n");
  }
  Files files_;
};

TEST_F(Contained, NothingOfAFileOutsideComesOut) {
  NEEDS_NVRTC();
  const std::string out = files_.folder.string();
  std::filesystem::create_symlink(files_.folder / "secret", files_.folder / "project/link.h");
  std::filesystem::create_symlink(files_.folder / "number", files_.folder / "project/number.inc");
  files_.write("project/inner.h", "#include \"../secret\"\n");
  std::string wide = "\xff\xfe";
  for (const char c : std::string("#include \"../secret\"\n")) wide += c, wide += '\0';
  files_.write("project/wide.h", wide);
  files_.write("project/piece.inl", "#include \"../number\"\n");
  const auto value = [](const std::string& include) {
    return "__device__ int v =\n" + include + "\n;\n#define VALUE v\n";
  };
  const std::string plain = "#define VALUE 1\n";
  for (const std::string& text : {
           plain + "#include \"" + out + "/secret\"\n",
           plain + "#include \"../secret\"\n",
           plain + "#include <../secret>\n",
           plain + "#include \"link.h\"\n",
           plain + "#include \"inner.h\"\n",
           plain + "#include \".netrc\"\n",
           plain + "#  include\\\n \"../secret\"\n",
           plain + "%:include \"../secret\"\n",
           plain + "#include_next \"../secret\"\n",
           plain + "#include \"wide.h\"\n",
           plain + "#define H \"../secret\"\n#include H\n",
           plain + "#define G <../secret>\n#define H G\n#include H\n",
           plain + "#define S(x) #x\n#define H S(../secret)\n#include H\n",
           plain + "#define S(x) #x\n#include S(../secret)\n",
           value("#include \"../number\""),
           value("#include \"number.inc\""),
           value("#include \"piece.inl\""),
           value("#define H \"../number\"\n#include H"),
       }) {
    const Compiling c = contained_compile(files_, "project/k.cu", text + plain_kernel);
    EXPECT_EQ(c.words.find("hunter2"), std::string::npos) << text << c.words;
    EXPECT_EQ(c.words.find("horse"), std::string::npos) << text << c.words;
    EXPECT_EQ(c.ptx.find("77031"), std::string::npos) << text << c.ptx;
    EXPECT_FALSE(c.done) << text;
    EXPECT_NE(c.words.find("is not read"), c.words.find("is computed")) << text << c.words;
    EXPECT_NE(c.words.find("project/"), std::string::npos) << text << c.words;
  }
  // Spellings of other compilers, which NVRTC 13.0 does not take for an #include
  for (const std::string& text : {
           plain + "#import \"../secret\"\n",
           plain + "#inc\\ \nlude \"../secret\"\n",
           plain + "#inc?\?/\nlude \"../secret\"\n",
           plain + "?\?=include \"../secret\"\n",
           plain + "#\f/* \n */include/**/\v\"../secret\"\n",
       })
    EXPECT_EQ(contained_compile(files_, "project/k.cu", text + plain_kernel).words.find("hunter2"), std::string::npos);
  // -I of a folder that is none of headers
  for (const std::vector<std::string>& options : {std::vector<std::string>{"-I" + out}, {"-I" + out, "-DH=<secret>"}}) {
    const Compiling c = contained_compile(
        files_, "project/k.cu", plain + (options.size() > 1 ? "#include H\n" : "#include \"secret\"\n") + plain_kernel,
        options);
    EXPECT_EQ(c.words.find("hunter2"), std::string::npos) << c.words;
    EXPECT_FALSE(c.words.empty());
  }
}

TEST_F(Contained, WhatAProjectIncludesIsStillRead) {
  NEEDS_NVRTC();
  files_.write("common/value.h", "#define VALUE 40413\n");
  files_.write("project/weights.txt", "40413\n");
  files_.write("project/sub/value.h", "#pragma once\n#define VALUE 40413\n");
  files_.write("lib/Eigen/Value", "#define VALUE 40413\n");
  const std::string out = files_.folder.string();
  for (const auto& [text, options] : std::initializer_list<std::pair<std::string, std::vector<std::string>>>{
           {"#include \"../common/value.h\"\n", {}},
           {"#include \"sub/value.h\"\n", {}},
           {"#define H \"sub/value.h\"\n#include H\n", {}},
           {"#include H\n", {"-DH=<value.h>", "-I" + out + "/common"}},
           {"#include \"value.h\"\n", {"-I" + out + "/common"}},
           {"#include <Eigen/Value>\n", {"-I" + out + "/lib"}},
           {"__device__ int v =\n#include \"weights.txt\"\n;\n#define VALUE v\n", {}},
           {"#if 0\n#include NOT_KNOWN(x)\n#endif\n#define VALUE 40413\n", {}},
       }) {
    const Compiling c = contained_compile(files_, "project/k.cu", text + plain_kernel, options);
    EXPECT_TRUE(c.done) << text << c.words;
    EXPECT_NE(c.ptx.find("40413"), std::string::npos) << text << c.words << c.ptx;
  }
}

TEST_F(Contained, AFileOfTheProjectThatIsNoHeaderIsNotQuoted) {
  NEEDS_NVRTC();
  files_.write("project/notes.txt", "hunter2 horse\n");
  const Compiling c = contained_compile(files_, "project/k.cu",
                                        "#define VALUE 1\n#include \"notes.txt\"\n" + std::string(plain_kernel));
  EXPECT_EQ(c.words.find("hunter2"), std::string::npos) << c.words;
  EXPECT_NE(c.words.find("notes.txt"), std::string::npos) << c.words;
}

TEST(Definitions, AreFoundInEverySpelling) {
  EXPECT_EQ(
      definitions(
          "#define A \"x.h\"\n  # /* c */ define B <y.h> // words\n%:define C(x) #x\n#define D\\\n E\n#undef A\n"),
      (std::vector<Definition>{{.name = "A", .value = "\"x.h\""},
                               {.name = "B", .value = "<y.h>"},
                               {.name = "C", .value = "(x) #x", .has_parameters = true},
                               {.name = "D", .value = "E"}}));
  EXPECT_EQ(name_in("\"a.h\""), "a.h");
  EXPECT_EQ(name_in("<a.h>"), "a.h");
  for (const char* value : {"", "\"\"", "\"a\" \"b\"", "x", "\"a", "<a"}) EXPECT_EQ(name_in(value), "") << value;
}

}  // namespace
}  // namespace lanescope::compile
