// Progress lines of a long run, and where they are printed.

#include <fcntl.h>
#include <unistd.h>

#include "app/cli/answers/progress_line.h"
#include "tests/app/cli/program.h"

namespace lanescope::cli {
namespace {

TEST(Progress, WordsHaveTheBlocksTheTimeAndWhatIsLeft) {
  const engine::Progress running{.stage = "running", .ran = {.steps = 5, .blocks = 1000, .all_blocks = 4000}};
  EXPECT_EQ(progress_words(running, 12, 10), "running: 1000 of 4000 blocks, 12 s, about 30 s left");
  EXPECT_EQ(progress_words({.stage = "compiling"}, 3.2, 3.2), "compiling, 3 s");
  EXPECT_EQ(progress_words({.stage = "running", .ran = {.all_blocks = 1}}, 200, 1), "running: 0 of 1 block, 3 min");
  EXPECT_EQ(progress_words({.stage = "judging", .ran = {.blocks = 7, .all_blocks = 7}}, 9, 0),
            "judging: 7 of 7 blocks, 9 s");
}

/// `left` = elapsed * (all - done) / done, for all numbers.
TEST(Progress, WhatIsLeftShrinksAsBlocksEnd) {
  double before = 1e18;
  for (std::uint64_t done = 1; done < 64; ++done) {
    const double left = 100.0 * static_cast<double>(64 - done) / static_cast<double>(done);
    EXPECT_LT(left, before);
    before = left;
    const std::string words = progress_words({.stage = "running", .ran = {.blocks = done, .all_blocks = 64}}, 100, 100);
    EXPECT_TRUE(words.starts_with(fmt::format("running: {} of 64 blocks, 2 min, about ", done))) << words;
    EXPECT_TRUE(words.ends_with(" left")) << words;
  }
}

using ProgressOfRuns = ProgramTest;

TEST_F(ProgressOfRuns, IsSaidWhereItIsRequestedAndNowhereElse) {
  const Result quiet = run("run " + copy), loud = run("run --progress " + copy);
  EXPECT_EQ(quiet.err, "");
  EXPECT_NE(loud.err.find("lanescope: running"), std::string::npos) << loud.err;
  EXPECT_EQ(loud.out, quiet.out);
  EXPECT_EQ(loud.status, quiet.status);
}

/// On a terminal one line is written again and again, and nothing of it is left in the end.
TEST_F(ProgressOfRuns, ALineOfATerminalIsGoneInTheEnd) {
  const int terminal = ::posix_openpt(O_RDWR | O_NOCTTY);
  if (terminal < 0 || ::grantpt(terminal) != 0 || ::unlockpt(terminal) != 0) GTEST_SKIP() << "no pseudo-terminal";
  // Many warps that step side by side for longer than a line waits to appear; the step limit ends it.
  write("k.ptx",
        ".version 7.0\n.target sm_75\n.address_size 64\n.visible .entry k(.param .u64 a)\n{\n.reg .b64 %rd<2>;\n"
        ".reg .b32 %r<2>;\n.reg .pred %p<2>;\nmov.u32 %r1, 0;\nL:\nadd.u32 %r1, %r1, 1;\nsetp.lt.u32 %p1, %r1, 40000;\n"
        "@%p1 bra L;\nld.param.u64 %rd1, [a];\nst.global.u32 [%rd1], %r1;\nret;\n}\n");
  write("k.toml", "grid = 4096\nblock = 32\n[buffers]\na = \"u32 n:4\"\n");
  const std::string command =
      fmt::format("cd '{}' && '{}' run k.ptx --launch k.toml --cores 1 --max-steps 60000000 > out 2> '{}'", path(""),
                  program, ::ptsname(terminal));
  // A slave that is open keeps what was written.
  const int slave = ::open(::ptsname(terminal), O_RDWR | O_NOCTTY);
  const int status = std::system(command.c_str());
  EXPECT_TRUE(WIFEXITED(status));
  std::string said;
  ::fcntl(terminal, F_SETFL, O_NONBLOCK);
  char bytes[4096];
  for (ssize_t got; (got = ::read(terminal, bytes, sizeof bytes)) > 0;)
    said.append(bytes, static_cast<std::size_t>(got));
  ::close(slave), ::close(terminal);
  if (said.find("\r\033[K") == std::string::npos) GTEST_SKIP() << "this machine ran it in less than a second: " << said;
  EXPECT_NE(said.find(" of 4096 blocks"), std::string::npos) << said;
  // The output after the last line of progress begins by erasing it.
  const std::size_t last = said.rfind("lanescope: running"), erased = said.find("\r\033[K", last);
  ASSERT_NE(last, std::string::npos);
  EXPECT_NE(erased, std::string::npos) << said.substr(last);
}

}  // namespace
}  // namespace lanescope::cli
