// Child processes end with the program, during any work and however it ends, and hold nothing of its.

#include <sys/stat.h>

#include "tests/security/started.h"

namespace lanescope::security {
namespace {

/// A text at which the compiler computes for hours.
constexpr const char* endless_text =
    "template <int N, unsigned M> struct F { static constexpr unsigned v = F<N - 1, M>::v + F<N - 1, M + 1>::v + "
    "F<N - 1, M * 2 + 1>::v; };\n"
    "template <unsigned M> struct F<0, M> { static constexpr unsigned v = M; };\n"
    "__global__ void k(unsigned* o) { o[threadIdx.x] = F<200, 0>::v; }\n";
/// The compiler waits for the other end of a pipe that it takes for a header; the name is not seen before.
constexpr const char* stuck_text =
    "#define HEADER \"pipe.h\"\n#include HEADER\n__global__ void k(int* p) { p[threadIdx.x] = 1; }\n";

class Children : public cli::ProgramTest {
 protected:
  void SetUp() override {
    ProgramTest::SetUp();
    write("endless.cu", endless_text);
    write("stuck.cu", stuck_text);
    ASSERT_EQ(::mkfifo(path("pipe.h").c_str(), 0600), 0);
  }
  std::string command(const std::string& arguments) const {
    return fmt::format("env -u DISPLAY XDG_CACHE_HOME='{}' '{}' {} < /dev/null", path("cache"), cli::program,
                       arguments);
  }
  std::string check(const std::string& name, const std::string& more = "") const {
    return command(fmt::format("check '{}' {}", path(name), more));
  }
  static bool is_compiler(pid_t pid) { return proc_text(pid, "cmdline").find("compile") != std::string::npos; }
  /// In the middle of a compile.
  static bool computes(pid_t pid) { return is_compiler(pid) && cpu_seconds(pid) > 0.3; }
};

TEST_F(Children, EndWithAProgramThatIsEnded) {
  for (const int signal : {SIGTERM, SIGKILL}) {
    Started started(check("endless.cu"));
    ASSERT_NE(started.child_that(computes), 0);
    ::kill(started.pid(), signal);
    EXPECT_EQ(started.read_to_end(), "") << signal;
    EXPECT_EQ(WTERMSIG(started.wait()), signal);
    EXPECT_TRUE(started.alone()) << signal;
  }
}

TEST_F(Children, EndWithTheTimeLimit) {
  Started started(check("endless.cu", "--max-seconds 1"));
  EXPECT_NE(started.read_to_end().find("timeout: compiling was stopped after 1 s"), std::string::npos);
  EXPECT_EQ(WEXITSTATUS(started.wait()), 3);
  EXPECT_TRUE(started.alone());
}

// Whether the pipe is waited for or refused.
TEST_F(Children, AreNotLeftWaitingForAFile) {
  Started started(check("stuck.cu", "--max-seconds 1"));
  EXPECT_NE(started.read_to_end(), "no end");
  started.wait();
  EXPECT_TRUE(started.alone());
}

TEST_F(Children, HaveNoDescriptorOfTheProgram) {
  write("held", "");
  Started started(check("endless.cu") + fmt::format(" 9> '{}'", path("held")));
  const pid_t child = started.child_that(computes);
  ASSERT_NE(child, 0);
  const auto leads_to = [](pid_t pid, int fd) {
    std::error_code ignored;
    return std::filesystem::read_symlink(fmt::format("/proc/{}/fd/{}", pid, fd), ignored).string();
  };
  ASSERT_EQ(leads_to(started.pid(), 9), path("held"));
  const std::string output = leads_to(started.pid(), STDOUT_FILENO);
  ASSERT_TRUE(output.starts_with("pipe:"));
  for (const auto& entry : std::filesystem::directory_iterator(fmt::format("/proc/{}/fd", child))) {
    const std::string there = leads_to(child, std::stoi(entry.path().filename().string()));
    EXPECT_NE(there, path("held"));
    EXPECT_NE(there, output) << entry.path();
  }
}

// A process of its own, so that what a text needs is not memory of the program.
TEST_F(Children, KeepToTheMemoryThatMayBeUsed) {
  Started started(check("endless.cu", "--max-memory 1GiB"));
  const pid_t child = started.child_that(is_compiler);
  ASSERT_NE(child, 0);
  EXPECT_NE(proc_text(child, "limits").find(fmt::format("Max address space         {}", 1 << 30)), std::string::npos);
  EXPECT_NE(started.read_to_end(std::chrono::seconds(300)).find("NVRTC needs more than 1 GiB of memory for this text"),
            std::string::npos);
  EXPECT_EQ(WEXITSTATUS(started.wait()), 2);
  EXPECT_TRUE(started.alone());
}

// Ended by SIGTERM as any program is: it blocks no signal.
TEST_F(Children, AreEndedByASignal) {
  Started started(check("endless.cu", "--max-seconds 30"));
  const pid_t child = started.child_that(computes);
  ASSERT_NE(child, 0);
  const std::string status = proc_text(child, "status");
  EXPECT_NE(status.find("SigBlk:\t0000000000000000"), std::string::npos) << status;
  ::kill(started.pid(), SIGTERM);
  started.read_to_end();
}

}  // namespace
}  // namespace lanescope::security
