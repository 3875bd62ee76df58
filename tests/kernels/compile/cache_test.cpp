// An answer from the cache is the one that the compiler would give now, or there is none.

#include "kernels/compile/calls/answer_cache.h"

#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <optional>
#include <random>

#include <fmt/format.h>

#include "kernels/compile/calls/call.h"
#include "kernels/compile/calls/include_names.h"
#include "tests/kernels/compile/files.h"
#include "tests/kernels/compile/outcomes.h"
#include "tests/kernels/source/source_files.h"

namespace lanescope::compile {
namespace {

using source::read_well;
using source::Source;
using source::words;

namespace fs = std::filesystem;

/// The variable for the length of a test.
class CacheIn {
 public:
  explicit CacheIn(const std::string& value) {
    finish_keeping();  // which reads the variables
    if (const char* was = ::getenv(name)) was_ = was;
    ::setenv(name, value.c_str(), 1);
  }
  ~CacheIn() {
    finish_keeping();
    if (was_)
      ::setenv(name, was_->c_str(), 1);
    else
      ::unsetenv(name);
  }
  CacheIn(const CacheIn&) = delete;
  CacheIn& operator=(const CacheIn&) = delete;

 private:
  static constexpr const char* name = "LANESCOPE_COMPILE_CACHE";
  std::optional<std::string> was_;
};

std::uint64_t entries(const fs::path& folder) {
  finish_keeping();
  return contents_of(folder).entries;
}

Answer some_answer(std::mt19937& random) {
  const auto bytes = [&](std::size_t most) {
    std::string out(random() % most, '\0');
    for (char& c : out) c = static_cast<char>(random());
    return out;
  };
  Answer out{.status = static_cast<int>(random() % 7),
             .log = bytes(200),
             .ptx = bytes(9000),
             .cubin = bytes(9000),
             .lowered = {}};
  for (unsigned left = random() % 4; left > 0; --left) out.lowered.push_back(bytes(30));
  return out;
}

TEST(AnswerCache, AnAnswerEqualsAFreshCompile) {
  NEEDS_NVRTC();
  const Files files;
  const fs::path folder = files.folder / "cache";
  const CacheIn cache(folder.string());
  files.write("k/part.h", "__device__ inline int twice(int x) { int unused_here; return 2 * x; }\n");
  const std::vector<std::string> texts = {
      source::file_text(source::data_path("half2_notes.cu")),
      "#include \"part.h\"\n__global__ void f(int* p) { int not_used = 7; p[0] = twice(p[1]); }\n",
      "// [lanescope]\n// kernel = \"ns::f<float>\"\nnamespace ns { template <class T> __global__ void f(T* p) { p[0] "
      "= "
      "p[1] + T(1); } }\n",
      "__global__ void f(int* p) { p[0] = missing; }\n",
      "#include \"nowhere.h\"\n__global__ void f(int* p) { p[0] = FROM_NOWHERE; }\n",
      "__global__ void f(int* p) { asm volatile(\"not.an.instruction;\"); p[0] = 1; }\n",
      "#include <cassert>\n__global__ void f(int* p) { assert(p[0] == 1); p[1] = sizeof(__FILE__); }\n",
      // A probe of `v` does not compile, so that there are two calls.
      "struct S { int a; S* operator&() const = delete; };\n__global__ void f(int* p) { S v; v.a = p[0]; p[1] = v.a; "
      "}\n"};
  for (const std::string& text : texts) {
    const Source s = read_well(text, (files.folder / "k/k.cu").string());
    for (const Variant variant : {Variant::plain, Variant::probed}) {
      const std::string fresh = words_of(compile(s, variant, fresh_options));
      const std::uint64_t before = entries(folder);
      EXPECT_EQ(difference(words_of(compile(s, variant, {})), fresh), "") << text;
      const std::uint64_t kept = entries(folder);
      // The probed text without a probe is the plain one.
      EXPECT_TRUE(kept > before || variant == Variant::probed) << text;
      EXPECT_EQ(difference(words_of(compile(s, variant, {})), fresh), "") << text;
      EXPECT_EQ(entries(folder), kept) << text;
      // From another folder, which is what the answer then names.
      fs::create_directories(files.folder / "other place");
      fs::copy_file(files.folder / "k/part.h", files.folder / "other place/part.h",
                    fs::copy_options::overwrite_existing);
      // Machine code has the times of headers.
      fs::last_write_time(files.folder / "other place/part.h", fs::last_write_time(files.folder / "k/part.h"));
      const Source moved = read_well(text, (files.folder / "other place/k.cu").string());
      EXPECT_EQ(difference(words_of(compile(moved, variant, {})), words_of(compile(moved, variant, fresh_options))), "")
          << text;
      EXPECT_EQ(entries(folder), kept) << text;
    }
  }
}

TEST(AnswerCache, AnEditedCommentIsNotCompiledAgain) {
  NEEDS_NVRTC();
  const Files files;
  const fs::path folder = files.folder / "cache";
  const CacheIn cache(folder.string());
  const std::string text = source::file_text(source::data_path("half2_notes.cu"));
  std::string edited = text;
  const auto replace = [&](std::string_view what, std::string_view by) {
    const std::size_t at = edited.find(what);
    ASSERT_NE(at, std::string::npos) << what;
    edited.replace(at, what.size(), by);
  };
  replace("// Read data", "// Read all the data");
  replace("//   register:  k0 j2", "//   register:  j2 k0   (which is wrong)");
  replace("\n__half2 y0", " // a remark \n__half2 y0");
  const source::Source s = source::read_well(text, source::data_path("half2_notes.cu"));
  const source::Source other = source::read_well(edited, source::data_path("half2_notes.cu"));
  EXPECT_NE(s.device_text, other.device_text);
  for (const Variant variant : {Variant::plain, Variant::probed}) {
    EXPECT_TRUE(compile(s, variant, {}));
    const std::uint64_t kept = entries(folder);
    EXPECT_EQ(difference(words_of(compile(other, variant, {})), words_of(compile(other, variant, fresh_options))), "");
    EXPECT_EQ(entries(folder), kept);
  }
}

TEST(AnswerCache, AWarningAboutAHeaderIsSaidEachTime) {
  NEEDS_NVRTC();
  const Files files;
  files.write("part.h", "__device__ inline int twice(int x) { int unused_here; return 2 * x; }\n");
  const Source s = read_well("#include \"part.h\"\n__global__ void f(int* p) { p[0] = twice(p[1]); }\n",
                             (files.folder / "k.cu").string());
  for (int round = 0; round < 3; ++round) {
    const Expected<Outcome> o = compile(s, Variant::plain, fresh_options);
    ASSERT_TRUE(o);
    EXPECT_NE(words(o->compiled.warnings).find("unused_here"), std::string::npos) << round;
  }
}

TEST(AnswerCache, WhatAFileReadsIsPartOfTheKey) {
  NEEDS_NVRTC();
  const Files files;
  const fs::path folder = files.folder / "cache";
  const CacheIn cache(folder.string());
  files.write("k/beside.h", "#define A 1\n#include \"../up/nested.h\"\n");
  files.write("up/nested.h", "#define B 1\n");
  files.write("first/none.h", "");
  files.write("second/far.h", "#define C 1\n");
  const std::string text =
      "/*\n[lanescope]\noptions = [\"-I../first\", \"-I../second\"]\n*/\n#include \"beside.h\"\n#include <far.h>\n"
      "#if __has_include(\"new.h\")\n#define D 1\n#else\n#define D 0\n#endif\n#include <cuda_fp16.h>\n"
      "#ifdef OF_THE_TOOLKITS_NAME\n#define E 1\n#else\n#define E 0\n#endif\n"
      "__global__ void f(int* p) { p[0] = A + 10 * B + 100 * C + 1000 * D + 10000 * E; }\n";
  const auto is_as_fresh = [&](const char* what, bool is_new) {
    const Source s = read_well(text, (files.folder / "k/k.cu").string());
    const std::uint64_t before = entries(folder);
    const std::string found = words_of(compile(s, Variant::plain, {}));
    EXPECT_EQ(difference(found, words_of(compile(s, Variant::plain, fresh_options))), "") << what;
    EXPECT_EQ(entries(folder) > before, is_new) << what;
    return found;
  };
  const std::string first = is_as_fresh("new", true);
  is_as_fresh("as it was", false);
  files.write("up/nested.h", "#define B 2\n");
  EXPECT_NE(difference(is_as_fresh("a header of a header", true), first), "");
  files.write("up/nested.h", "#define B 1\n");
  EXPECT_EQ(difference(is_as_fresh("as at first", false), first), "");
  files.write("first/far.h", "#define C 3\n");
  EXPECT_NE(difference(is_as_fresh("a file before another", true), first), "");
  fs::remove(files.folder / "first/far.h");
  files.write("k/new.h", "");
  EXPECT_NE(difference(is_as_fresh("a file that is requested", true), first), "");
  fs::remove(files.folder / "k/new.h");
  // Includes of the toolkit's own header are also looked for beside the kernel.
  files.write("k/vector_types.h", "#define OF_THE_TOOLKITS_NAME\n#include_next <vector_types.h>\n");
  is_as_fresh("a header of the toolkit's name", true);
  fs::remove(files.folder / "k/vector_types.h");
  EXPECT_EQ(difference(is_as_fresh("as at first again", false), first), "");
}

// A compiler that ran out of memory says nothing about the text, though it calls it an error of the text.
TEST(AnswerCache, ErrorsOfTheMachineAreNotOfTheText) {
  const auto with_log = [](const char* log) {
    return Answer{.status = 6, .log = log, .ptx = {}, .cubin = {}, .lowered = {}};
  };
  EXPECT_FALSE(is_of_the_text(with_log("Loop in catastrophic error processing.\n")));
  EXPECT_FALSE(is_of_the_text(with_log("catastrophic error: unable to obtain mapped memory")));
  EXPECT_TRUE(is_of_the_text(with_log("k.cu(3): error: identifier \"x\" is undefined")));
}

TEST(AnswerCache, WhatCannotBeKnownIsNotKept) {
  NEEDS_NVRTC();
  const Files files;
  const fs::path folder = files.folder / "cache";
  const CacheIn cache(folder.string());
  files.write("by_macro.h", "#define A 1\n");
  const std::string kernel = "__global__ void f(int* p) { p[0] = sizeof(TEXT); }\n";
  for (const std::string& text : {std::string("#define NAME \"by_macro.h\"\n#include NAME\n#define TEXT \"\"\n"),
                                  std::string("#define TEXT __TIME__\n"), std::string("#define TEXT __DATE__\n")}) {
    const Source s = read_well(text + kernel, (files.folder / "k.cu").string());
    EXPECT_TRUE(compile(s, Variant::plain, {})) << text;
    EXPECT_EQ(entries(folder), 0U) << text;
  }
  const Source s = read_well("#define TEXT \"\"\n" + kernel, (files.folder / "k.cu").string());
  {
    const CacheIn off("off");
    EXPECT_TRUE(compile(s, Variant::plain, {}));
    EXPECT_TRUE(answer_place().folder.empty());
    EXPECT_FALSE(answer_place().reason.empty());
  }
  EXPECT_TRUE(compile(s, Variant::plain, fresh_options));
  EXPECT_EQ(entries(folder), 0U);
  EXPECT_TRUE(compile(s, Variant::plain, {}));
  EXPECT_EQ(entries(folder), 1U);
  fs::permissions(folder, fs::perms::others_write, fs::perm_options::add);
  EXPECT_TRUE(answer_place().folder.empty());  // another user could write a program there
}

TEST(AnswerCache, EveryOptionAndVariableOfTheCompilerIsInTheKey) {
  NEEDS_NVRTC();
  const Nvrtc& library = nvrtc();
  const Call call{.text = "x",
                  .name = "y",
                  .headers = {{"a", "b"}},
                  .expressions = {"f"},
                  .options = {"-DA"},
                  .folders = {},
                  .precompiled = {}};
  const auto key = key_of(call, library);
  ASSERT_TRUE(key);
  const auto differs = [&](auto change) {
    Call other = call;
    change(other);
    const auto changed = key_of(other, library);
    return changed && *changed != *key;
  };
  EXPECT_TRUE(differs([](Call& c) { c.text += ' '; }));
  EXPECT_TRUE(differs([](Call& c) { c.name += ' '; }));
  EXPECT_TRUE(differs([](Call& c) { c.headers["a"] = "c"; }));
  EXPECT_TRUE(differs([](Call& c) { c.headers["c"] = ""; }));
  EXPECT_TRUE(differs([](Call& c) { c.expressions.clear(); }));
  EXPECT_TRUE(differs([](Call& c) { c.options = {"-DB"}; }));
  EXPECT_TRUE(differs([](Call& c) { c.options = {"-DA", "-DA"}; }));
  EXPECT_TRUE(differs([](Call& c) { c.expressions = {"-DA"}, c.options = {"f"}; }) || !option_is_pure("f"));
  EXPECT_FALSE(differs([](Call& c) { c.precompiled = "s"; }));
  ::setenv("NVRTC_APPEND_FLAGS", "-G", 1);
  const auto with_variable = key_of(call, library);
  ::unsetenv("NVRTC_APPEND_FLAGS");
  EXPECT_NE(with_variable, key);
  EXPECT_EQ(key_of(call, library), key);
  for (const char* o : {"--time=x.csv", "--fdevice-time-trace=x", "--pch-dir=x", "--use-pch=x", "--pre-include=x.h",
                        "--ptxas-options=--output-file=x", "--anything", "-include", "", "x"})
    EXPECT_FALSE(option_is_pure(o)) << o;
  for (const char* o : {"-lineinfo", "--gpu-architecture=sm_90", "-DX=1", "--ptxas-options=-v", "-Ix", "-std=c++17"})
    EXPECT_TRUE(option_is_pure(o)) << o;
}

TEST(AnswerCache, AHeaderThatIncludesItselfByAnotherNameEnds) {
  const Files files;
  files.write("a/x.h", "#include \"../a/x.h\"\n#include \"../b/y.h\"\n");
  files.write("b/y.h", "#include \"../a/x.h\"\n");
  const Call call{.text = "#include \"x.h\"\n",
                  .name = numbered_folder(0) + "/k.cu",
                  .headers = {},
                  .expressions = {},
                  .options = {"-I" + numbered_folder(0)},
                  .folders = {(files.folder / "a").string()},
                  .precompiled = {}};
  const auto state = state_of_files(call, {});
  ASSERT_TRUE(state);
  files.write("b/y.h", "#include \"../a/x.h\"\n ");
  EXPECT_NE(state_of_files(call, {}), state);
}

TEST(AnswerCache, ValuesSurviveTheirBytes) {
  std::mt19937 random(3);
  for (int round = 0; round < 200; ++round) {
    const Answer answer = some_answer(random);
    Bytes bytes = packed(answer);
    EXPECT_EQ(unpacked_answer(bytes), answer);
    const Call call{.text = answer.ptx,
                    .name = answer.log,
                    .headers = {{answer.log, answer.cubin}, {"h", ""}},
                    .expressions = answer.lowered,
                    .options = {"", "-x"},
                    .folders = answer.lowered,
                    .precompiled = "p"};
    EXPECT_EQ(unpacked_call(packed(call)), call);
    // Cut off, or with lengths of any kind: no answer, and no more memory than there are bytes.
    const Bytes cut(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(random() % bytes.size()));
    EXPECT_FALSE(unpacked_answer(cut));
    for (int k = 0; k < 8; ++k) bytes[random() % bytes.size()] = static_cast<std::uint8_t>(random());
    (void)unpacked_answer(bytes);
    (void)unpacked_call(bytes);
  }
}

TEST(AnswerCache, ADamagedEntryIsIgnoredAndReplaced) {
  const Files files;
  const fs::path folder = files.folder / "cache";
  std::mt19937 random(5);
  for (int round = 0; round < 60; ++round) {
    const std::string key = fmt::format("{:064x}", round);
    const Answer answer = some_answer(random);
    EXPECT_FALSE(find_answer(folder, key));
    keep_answer(folder, key, answer);
    ASSERT_EQ(find_answer(folder, key), answer);
    const fs::path path = folder / (key + ".answer");
    std::string bytes = source::file_text(path.string());
    if (round % 3 == 0)
      bytes.resize(random() % bytes.size());
    else if (round % 3 == 1)
      bytes[random() % bytes.size()] ^= static_cast<char>(1U << random() % 8);
    else
      bytes += 'x';
    std::ofstream(path, std::ios::binary) << bytes;
    EXPECT_FALSE(find_answer(folder, key)) << round;
    EXPECT_FALSE(fs::exists(path)) << round;
    keep_answer(folder, key, answer);
    EXPECT_EQ(find_answer(folder, key), answer);
    // Another entry under this name is damage, too.
    const std::string other = fmt::format("{:064x}", round + 1000);
    fs::copy_file(path, folder / (other + ".answer"));
    EXPECT_FALSE(find_answer(folder, other));
  }
}

TEST(AnswerCache, SeveralProcessesWriteReadAndThinOutAtOnce) {
  const Files files;
  const fs::path folder = files.folder / "cache";
  constexpr std::uint64_t limit = 100000;
  const auto answer_to = [](unsigned key) {
    std::mt19937 random(key);
    return some_answer(random);
  };
  const auto work = [&](unsigned seed) {
    std::mt19937 random(seed);
    for (int turn = 0; turn < 400; ++turn) {
      const unsigned n = random() % 24;
      const std::string key = fmt::format("{:064x}", n);
      if (const auto found = find_answer(folder, key)) {
        if (*found != answer_to(n)) return 1;
      } else {
        keep_answer(folder, key, answer_to(n), limit);
      }
    }
    return 0;
  };
  std::vector<pid_t> children;
  for (unsigned seed = 1; seed <= 4; ++seed) {
    const pid_t child = ::fork();
    if (child == 0) ::_exit(work(seed));
    children.push_back(child);
  }
  for (const pid_t child : children) {
    int status = -1;
    ::waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
  }
  EXPECT_GT(entries(folder), 2U);
  // Entries that four processes write between two of their checks may come on top.
  EXPECT_LT(contents_of(folder).bytes, 2 * limit);
  for (const auto& entry : fs::directory_iterator(folder)) EXPECT_EQ(entry.path().extension(), ".answer");
}

}  // namespace
}  // namespace lanescope::compile
