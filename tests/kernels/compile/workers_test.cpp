// Where a call is answered changes nothing of the answer, for any fate of the answering process.

#include "kernels/compile/calls/workers.h"
#include "kernels/compile/calls/answer_cache.h"

#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include <chrono>
#include <string_view>
#include <thread>

#include "kernels/base/conversation.h"
#include "kernels/compile/calls/nvrtc_library.h"
#include "tests/kernels/compile/files.h"
#include "tests/kernels/compile/outcomes.h"

namespace lanescope::compile {
namespace {

using source::read_well;
using source::Source;
using source::words;

constexpr const char* die_word = "die-when-called";

/// Greets as a worker does and ends at the first call as the compiler does where it crashes.
void die_when_called() {
  const int answers = take_answer_stream(STDOUT_FILENO);
  for (;;) {
    const auto asked = read_frame(STDIN_FILENO);
    if (!asked || asked->empty()) ::_exit(0);
    if (asked->front() != 'h') ::kill(::getpid(), SIGSEGV);
    write_frame(answers, greeting());
  }
}

__attribute__((constructor)) void begin(int argc, char** argv) {
  be_worker_if_asked(argc, argv);
  if (argc == 2 && std::string_view(argv[1]) == die_word) die_when_called();
}

/// Calls are answered by other processes for the length of a test.
struct WithWorkers {
  explicit WithWorkers(const std::vector<std::string>& command) { use_workers(command); }
  ~WithWorkers() { use_workers({}); }
  WithWorkers(const WithWorkers&) = delete;
  WithWorkers& operator=(const WithWorkers&) = delete;
};
const std::vector<std::string> self = {"/proc/self/exe", serve_calls_word};

std::vector<std::string> some_texts() {
  return {source::file_text(source::data_path("half2_notes.cu")),
          "#include \"part.h\"\n__global__ void f(int* p) { int not_used = 7; p[0] = twice(p[1]); }\n",
          "__global__ void f(int* p) { p[0] = missing; }\n",
          "__global__ void f(int* p) { asm volatile(\"not.an.instruction;\"); p[0] = 1; }\n"};
}

TEST(Workers, AnswerAsThisProcessDoes) {
  NEEDS_NVRTC();
  const Files files;
  files.write("part.h", "__device__ inline int twice(int x) { int unused_here; return 2 * x; }\n");
  for (const std::string& text : some_texts()) {
    const Source s = read_well(text, (files.folder / "k.cu").string());
    for (const Variant variant : {Variant::plain, Variant::probed}) {
      const std::string here = words_of(compile(s, variant, fresh_options));
      const WithWorkers workers(self);
      EXPECT_EQ(difference(words_of(compile(s, variant, fresh_options)), here), "") << text;
      EXPECT_EQ(difference(words_of(compile(s, variant, fresh_options)), here), "") << text;
      EXPECT_EQ(worker_ids().size(), 1U);
    }
  }
}

TEST(Workers, BothVariantsAreInTwoProcessesAndHeadersMayChange) {
  NEEDS_NVRTC();
  const Files files;
  const WithWorkers workers(self);
  for (int value = 1; value <= 3; ++value) {
    files.write("part.h", "#define A " + std::to_string(value) + "\n");
    const Source s = read_well("#include \"part.h\"\n__global__ void f(int* p) { int x = A + 40; p[0] = x; }\n",
                               (files.folder / "k.cu").string());
    const Expected<Both> both = compile_both(s, fresh_options);
    ASSERT_TRUE(both) << words(both.error());
    for (const Outcome& o : {both->plain, both->probed})
      EXPECT_NE(o.compiled.ptx.find(" " + std::to_string(value + 40) + ";"), std::string::npos) << o.compiled.ptx;
    EXPECT_EQ(worker_ids().size(), 2U);
  }
}

TEST(Workers, OneThatIsKilledMeanwhileCostsNoAnswer) {
  NEEDS_NVRTC();
  const Source s = read_well(source::file_text(source::data_path("half2_notes.cu")), "k.cu");
  const std::string here = words_of(compile(s, Variant::plain, fresh_options));
  const WithWorkers workers(self);
  EXPECT_EQ(difference(words_of(compile(s, Variant::plain, fresh_options)), here), "");
  for (const int milliseconds : {0, 1, 5, 20, 40}) {
    const std::vector<int> ids = worker_ids();
    ASSERT_FALSE(ids.empty());
    std::thread killer([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
      ::kill(ids.front(), SIGKILL);
    });
    EXPECT_EQ(difference(words_of(compile(s, Variant::plain, fresh_options)), here), "") << milliseconds;
    killer.join();
  }
}

TEST(Workers, ACrashOfTheCompilerIsAnError) {
  NEEDS_NVRTC();
  const Source s = read_well("__global__ void f(int* p) { p[0] = 1; }\n", "k.cu");
  const Files files;
  ::setenv("LANESCOPE_COMPILE_CACHE", (files.folder / "cache").c_str(), 1);
  {
    const WithWorkers workers({"/proc/self/exe", die_word});
    const Expected<Both> both = compile_both(s, {});
    ASSERT_FALSE(both);
    EXPECT_NE(words(both.error()).find("NVRTC was ended by signal 11"), std::string::npos) << words(both.error());
  }
  EXPECT_TRUE(compile(s, Variant::plain, {}));  // it was not kept
  finish_keeping();
  ::setenv("LANESCOPE_COMPILE_CACHE", "off", 1);
}

TEST(Workers, WithoutOneThisProcessCompiles) {
  NEEDS_NVRTC();
  const Source s = read_well("__global__ void f(int* p) { p[0] = 1; }\n", "k.cu");
  const std::string here = words_of(compile(s, Variant::plain, fresh_options));
  // No program; one that ends at once; one that says something else.
  for (const std::vector<std::string>& command :
       {std::vector<std::string>{"/there/is/no/such/program"}, {"/bin/true"}, {"/bin/cat"}}) {
    const WithWorkers workers(command);
    EXPECT_EQ(difference(words_of(compile(s, Variant::plain, fresh_options)), here), "") << command.front();
    EXPECT_TRUE(worker_ids().empty());
  }
  const WithWorkers workers(self);
  ::setenv("LANESCOPE_COMPILE_WORKERS", "off", 1);
  EXPECT_EQ(difference(words_of(compile(s, Variant::plain, fresh_options)), here), "");
  EXPECT_TRUE(worker_ids().empty());
  ::unsetenv("LANESCOPE_COMPILE_WORKERS");
}

TEST(Workers, ManyThreadsShareThem) {
  NEEDS_NVRTC();
  const WithWorkers workers(self);
  std::vector<std::thread> threads;
  for (int k = 0; k < 5; ++k)
    threads.emplace_back([k] {
      for (int turn = 0; turn < 3; ++turn) {
        const std::string value = std::to_string(100 * k + turn + 1000);
        const Source s = read_well("__global__ void f(int* p) { p[0] = " + value + "; }\n", "k.cu");
        const Expected<Outcome> o = compile(s, turn % 2 == 0 ? Variant::plain : Variant::probed, fresh_options);
        ASSERT_TRUE(o) << words(o.error());
        EXPECT_NE(o->compiled.ptx.find(" " + value + ";"), std::string::npos);
      }
    });
  for (std::thread& t : threads) t.join();
  EXPECT_EQ(worker_ids().size(), most_workers);
}

}  // namespace
}  // namespace lanescope::compile
