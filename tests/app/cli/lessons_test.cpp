// lanescope lessons and lanescope lesson: what they print, and how they end.

#include <nlohmann/json.hpp>

#include "kernels/compile/compile.h"
#include "tests/app/cli/program.h"

namespace lanescope::cli {
namespace {

using nlohmann::json;

class LessonCommands : public ProgramTest {
 protected:
  static constexpr const char* first = "tests/data/lessons/01-first";
};

TEST_F(LessonCommands, ShowPagesAndCheckThem) {
  const Result all = run(std::string("lesson ") + first);
  EXPECT_EQ(all.status, 0) << all.err;
  for (const char* words : {"# A first lesson", "## Sectors  (1 of 3)", "? How many sectors",
                            "[broken.cu line 24, global: ", "fix broken.cu"})
    EXPECT_NE(all.out.find(words), std::string::npos) << words;
  EXPECT_EQ(all.out.find("Draw a line on the board"), std::string::npos) << "notes are for the presenter";
  const json page = json::parse(run(fmt::format("lesson {} --page 2 --json", first)).out);
  ASSERT_EQ(page["pages"].size(), 1U);
  EXPECT_EQ(page["pages"][0]["heading"], "A row");
  EXPECT_EQ(run(fmt::format("lesson {} --page 4", first)).status, 2);
  const Result none = run("lesson no-such-lesson");
  EXPECT_EQ(none.status, 2);
  EXPECT_NE(none.err.find("no lesson `no-such-lesson`"), std::string::npos) << none.err;
  if (!compile::toolchain().nvrtc) GTEST_SKIP() << "NVRTC is not installed";
  const Result checked = run(fmt::format("lesson {} --check --json", first));
  EXPECT_EQ(checked.status, 0) << checked.err;
  const json out = json::parse(checked.out);
  EXPECT_TRUE(out["ok"].get<bool>());
  EXPECT_EQ(out["questions"][0]["answer"], "8");
}

TEST_F(LessonCommands, SayWhatDoesNotWork) {
  write("lesson.md",
        "# T\n\nS.\n\n## P\n\n```question\nid = \"a\"\nkind = \"number\"\nask = \"?\"\ncompute = \"access --space "
        "global --op ld "
        "--width 4 --pattern "
        "aligned\"\nat = [\"sectors\", \"x\"]\n```\n\n```moment\nkernel = \"half2_transposes.cu\"\nline = 53\ntext = "
        "\"gone\"\n```\n");
  const Result r = run(fmt::format("lesson '{}' --check", folder_.string()));
  EXPECT_EQ(r.status, 2);
  EXPECT_NE(r.err.find("lesson.md:7:1: question `a`: `at` leads nowhere"), std::string::npos) << r.err;
  EXPECT_NE(r.err.find("lesson.md:15:1: moment of half2_transposes.cu: line 53 was changed or is gone"),
            std::string::npos)
      << r.err;
  EXPECT_NE(r.out.find("0 of 1 moments found, 0 of 1 questions computed"), std::string::npos) << r.out;
}

}  // namespace
}  // namespace lanescope::cli
