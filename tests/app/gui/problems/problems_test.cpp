// One list of problems: found from the top bar in one click, each at its block, warp, iteration and step.

#include <algorithm>
#include <random>

#include "app/engine/session/session.h"
#include "app/gui/commands/command.h"
#include "app/gui/model/steps.h"
#include "app/gui/state/app.h"
#include "kernels/compile/compile.h"
#include "results/problems.h"
#include "tests/app/gui/fixture.h"
#include "tests/sample.h"
#include "viz/views/costs/timeline_bands.h"

namespace lanescope::gui {
namespace {

#define PROBLEMS_NEED_NVRTC() \
  if (!compile::toolchain().nvrtc) GTEST_SKIP() << "NVRTC is not installed"

/// Block 3 of 4 reads beyond the 200 elements of p, warp 1 first; blocks 0 to 2 are healthy.
constexpr std::string_view beyond = R"(/*
[lanescope]
grid = [4]
block = [64]

[buffers]
p = "f32 i:200"
q = "f32 i:256 = zeros"
*/
__global__ void __launch_bounds__(64) copy_beyond(const float *p, float *q)
{
    int i = 64 * blockIdx.x + threadIdx.x;
    float x = p[i];
    q[i] = x;
}
)";
constexpr int load_line = 13;

int line_of(const std::string& text, const std::string& part) {
  const std::size_t at = text.find(part);
  return at == std::string::npos
             ? -1
             : 1 + static_cast<int>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
}

std::string replaced(std::string text, const std::string& old, const std::string& by) {
  const std::size_t at = text.find(old);
  EXPECT_NE(at, std::string::npos) << old;
  return at == std::string::npos ? text : text.replace(at, old.size(), by);
}

class ProblemsTest : public ExplorerTest {
 protected:
  /// Opens a text as a file of its own.
  void open_text(const std::string& name, std::string_view text) {
    const std::string path = folder() + "/" + name;
    ASSERT_TRUE(write_text(path, text));
    open(options_for(path));
  }
  std::string catalogue_text(const std::string& name) { return *read_text(kernel(name)); }
  std::string race_text() {
    return replaced(catalogue_text("shared_transpose_padded.cu"), "    __syncthreads();\n", "");
  }
};

// --- the four of a new user -------------------------------------------------------------------------------------------

TEST_F(ProblemsTest, AnAccessOutOfBoundsIsFoundFromTheTopBarInOneClick) {
  PROBLEMS_NEED_NVRTC();
  open_text("beyond.cu", beyond);
  // The window opens on it: the block that faults, not block 0, and the thread that faults, not the last instruction.
  const std::string place =
      "expect recorded.block 3\nexpect selection.warp 1\nexpect selection.line " + std::to_string(load_line) + "\n";
  script("expect problems 1 errors, 0 warnings, 0 notes\nexpect problem out of bounds line 13\n" + place);
  script("expect text \"1 error\"\nexpect text not \"no claims\\n●\"\nexpect front.problems yes");
  const std::string step = fact("selection.step");
  EXPECT_NE(step, "-1");
  // From anywhere else, one click.
  script("key End\nkey Up\nwait\nline 12\nwait\nclick item Errors\nwait\nexpect problem out of bounds line 13\n" +
         place + "expect selection.step " + step);
  // Both sides: the thread, and the memory.
  const results::Problem& p = app().results.problems.front();
  ASSERT_EQ(p.parties.size(), 2u);
  EXPECT_EQ(p.parties[0].lane, 0);
  EXPECT_EQ(p.parties[0].does, "accesses element 224 of `p`");
  EXPECT_EQ(p.parties[1].does, "`p` has 200 elements of 32 bits, 800 bytes");
  EXPECT_NE(p.remedy.find("less than 200"), std::string::npos) << p.remedy;
  script(
      "expect text \"accesses element 224 of `p`\"\nexpect text \"To do: access `p` only where the index is less than "
      "200\"");
  // On the timeline, too.
  script("expect scene timeline contains timeline_problem/0");
}

TEST_F(ProblemsTest, ARaceIsFoundFromTheTopBarInOneClickWithWriterAndReader) {
  PROBLEMS_NEED_NVRTC();
  const std::string text = race_text();
  const int write = line_of(text, "tile[threadIdx.y][threadIdx.x] = x"), read = line_of(text, "float y = tile");
  open_text("race.cu", text);
  script("expect text \"1 error\"\nexpect front.problems yes\nexpect problem race line " + std::to_string(read));
  for (const std::string& words : {std::string("● 2 of 2 claims hold")}) script("expect text not \"" + words + "\"");
  script("line " + std::to_string(write) + "\nkey Home\nwait\nclick item Errors\nwait\nexpect problem race line " +
         std::to_string(read) + "\nexpect selection.line " + std::to_string(read));
  const results::Problem p = app().results.problems.front();
  ASSERT_EQ(p.parties.size(), 2u);
  EXPECT_EQ(p.parties[0].line + p.parties[1].line, write + read);
  EXPECT_NE(p.parties[0].warp, p.parties[1].warp);
  for (const results::Party& side : p.parties) {
    ASSERT_GE(side.step, 0) << side.does;
    const results::Moment m = app().results.moment;
    EXPECT_EQ(side.does.substr(0, side.does.find(' ')), side.line == write ? "writes" : "reads");
  }
  // Each side is a click, and a key.
  for (int side = 0; side < 2; ++side) {
    const results::Party& who = p.parties[static_cast<std::size_t>(side)];
    script("click item \"side " + std::to_string(side + 1) + " of problem 1\"\nwait\nexpect selection.step " +
           std::to_string(who.step) + "\nexpect selection.warp " + std::to_string(who.warp) +
           "\nexpect selection.line " + std::to_string(who.line) + "\nexpect problem.side " + std::to_string(side));
  }
  script("key Shift+E\nwait\nexpect problem.side 0\nkey Shift+E\nwait\nexpect problem.side 1");
  // Both are marked in the source.
  script("expect text not nonsense\nclick item \"problem at line " + std::to_string(write) +
         "\"\nwait\nexpect selection.line " + std::to_string(write));
}

// A fault that rests on a guess is no error, and no healthy run either.
TEST_F(ProblemsTest, AFaultThatRestsOnAnAssumptionIsCountedAsThat) {
  PROBLEMS_NEED_NVRTC();
  open_text("guessed.cu",
            "__global__ void __launch_bounds__(32) k(int* p, int n) {\n  p[n - 1000000000 + threadIdx.x] = 1;\n}\n");
  script(
      "expect problems 0 errors, 1 assumed, 0 warnings, 0 notes\nexpect text \"1 rests on an assumption\"\n"
      "expect text not \"1 error\"\nexpect text not \"no problems\"\nexpect front.problems yes\n"
      "expect text \"with assumptions\"\nline 1\nwait\nclick item Assumed\nwait\nexpect problem out of bounds line "
      "2\nexpect "
      "selection.line 2");
  EXPECT_NE(app().results.problems.front().message.find("(assumed): "), std::string::npos);
}

// Nothing orders two streams: the window opens in the second launch, at the access that meets the first one's.
TEST_F(ProblemsTest, StreamsWithoutOrderAreWhereTheWindowOpens) {
  PROBLEMS_NEED_NVRTC();
  const std::string text =
      "__global__ void __launch_bounds__(32) fill(float* q) { q[threadIdx.x] = threadIdx.x; }\n"
      "__global__ void __launch_bounds__(32) use(const float* q, float* r) {\n  float x = q[threadIdx.x];\n"
      "  r[threadIdx.x] = 2 * x;\n}\nint main() {\n  float *q, *r;\n  cudaMalloc(&q, 128);\n  cudaMalloc(&r, 128);\n"
      "  cudaStream_t s, t;\n  cudaStreamCreate(&s);\n  cudaStreamCreate(&t);\n  fill<<<1, 32, 0, s>>>(q);\n"
      "  use<<<1, 32, 0, t>>>(q, r);\n}\n";
  const int launch = line_of(text, "use<<<"), read = line_of(text, "float x = q");
  open_text("streams.cu", text);
  script(
      "expect problems 1 errors, 0 warnings, 0 notes\nexpect front.problems yes\nexpect recorded.launch 1\n"
      "expect selection.line " +
      std::to_string(launch) + "\nexpect problem unordered operations line " + std::to_string(launch));
  const results::Problem p = app().results.problems.front();
  ASSERT_EQ(p.parties.size(), 2u);
  EXPECT_EQ(p.parties[0].line, 1);
  EXPECT_EQ(p.parties[1].line, read);
  ASSERT_GE(p.step, 0);
  EXPECT_EQ(p.parties[1].step, p.step);
  script("expect selection.step " + std::to_string(p.step));
  ASSERT_TRUE(app().results.moment.access);
  EXPECT_EQ(app().results.moment.access->line, read) << "the panel names the load, not the launch";
  // The other side is in the launch before, each a key.
  script(
      "key Shift+E\nwait\nexpect recorded.launch 0\nkey Shift+E\nwait\nexpect recorded.launch 1\n"
      "expect selection.line " +
      std::to_string(read));
}

TEST_F(ProblemsTest, AWrongClaimIsFoundFromTheTopBarInOneClick) {
  PROBLEMS_NEED_NVRTC();
  // The second of three comments is mistyped; the code is right.
  const std::string text = replaced(catalogue_text("half2_transposes.cu"), "k0 j2\n", "j2 k0\n");
  const int line = line_of(text, "j2 k0\n") - 1;
  open_text("typo.cu", text);
  script("expect text \"1 error\"\nexpect problem y differs line " + std::to_string(line) +
         "\nkey End\nwait\nclick item Errors\nwait\nexpect selection.line " + std::to_string(line));
  const results::Problem& p = app().results.problems.front();
  EXPECT_NE(p.message.find("the 2 other claims hold"), std::string::npos) << p.message;
  EXPECT_EQ(p.remedy, "correct the comment");
  ASSERT_EQ(p.parties.size(), 2u);
  EXPECT_TRUE(p.parties[0].does.starts_with("stated: ")) << p.parties[0].does;
  EXPECT_TRUE(p.parties[1].does.starts_with("actual: ")) << p.parties[1].does;
  EXPECT_GE(p.step, 0);
}

TEST_F(ProblemsTest, ACompileErrorIsFoundFromTheTopBarInOneClick) {
  PROBLEMS_NEED_NVRTC();
  open_text("good.cu", replaced(std::string(beyond), "i:200", "i:256"));
  script("expect problems 0 errors, 0 warnings, 0 notes\nexpect text \"● no problems\"");
  script("edit q[i] = x; => q[i] = nonsense;\nwait\nexpect results.failed yes\nexpect text \"1 error\"\nline 10\n");
  script("click item Errors\nexpect front.problems yes\nexpect typing yes\nexpect text not \"no problems\"");
  // The caret stands at the mistake: what is typed next moves there.
  script("type 1+\nwait");
  EXPECT_NE(app().document.text().find("q[i] = 1+nonsense"), std::string::npos) << app().document.text();
}

TEST_F(ProblemsTest, AKernelThatDoesNotCompileOpensAtItsFirstError) {
  PROBLEMS_NEED_NVRTC();
  open_text("bad.cu", replaced(std::string(beyond), "float x = p[i]", "float x = nonsense"));
  script(
      "expect results.have no\nexpect front.problems yes\nexpect text \"1 error\"\nexpect typing no\nexpect text "
      "nonsense");
}

// The block of a problem stays recorded while one works on it; a smaller grid does not become an error of its own.
TEST_F(ProblemsTest, ASmallerGridRecordsABlockThatItHas) {
  PROBLEMS_NEED_NVRTC();
  open_text("beyond.cu", beyond);
  script(
      "expect recorded.block 3\nedit grid = [4] => grid = [3]\nwait\nexpect results.failed no\n"
      "expect recorded.block 0\nexpect problems 0 errors, 0 warnings, 0 notes");
}

// --- the list ----------------------------------------------------------------------------------------------------------

TEST_F(ProblemsTest, CommandsGoThroughTheList) {
  PROBLEMS_NEED_NVRTC();
  std::string text = race_text();
  text = replaced(text, "__launch_bounds__(1024) ", "");
  open_text("two.cu", text);
  const auto& problems = app().results.problems;
  ASSERT_GE(problems.size(), 2u);
  script("command problem.worst\nwait");
  EXPECT_EQ(app().problems.current(), 0);
  for (std::size_t i = 1; i < problems.size(); ++i) {
    script("key F8\nwait");
    EXPECT_EQ(app().problems.current(), static_cast<int>(i));
  }
  script("key F8\nwait");
  EXPECT_EQ(app().problems.current(), 0);
  script("key Shift+F8\nwait");
  EXPECT_EQ(app().problems.current(), static_cast<int>(problems.size()) - 1);
  // The same one stays chosen when the text has run again.
  const std::string chosen = fact("problem");
  script("command run.now\nwait\nexpect problem " + chosen);
}

TEST_F(ProblemsTest, AHealthyColourIsNeverBesideAnError) {
  PROBLEMS_NEED_NVRTC();
  open_text("race.cu", race_text());
  script("expect text \"2 of 2 claims hold\"\nexpect text not \"●\"");
}

// Expected findings are notes; a kernel that races on purpose is not praised for having no problems.
TEST_F(ProblemsTest, AHealthyColourIsNeverBesideAnExpectedRace) {
  PROBLEMS_NEED_NVRTC();
  open_kernel("histogram_race.cu");
  script("expect problems 0 errors, 0 warnings, 4 notes\nexpect text not \"●\"");
  open_kernel("histogram_atomic.cu");
  script("expect text \"● no problems, no claims\"");
}

TEST_F(ProblemsTest, AnotherKernelTakesBackWhatAnErrorBroughtToTheFront) {
  PROBLEMS_NEED_NVRTC();
  open_text("beyond.cu", beyond);
  script("expect front.problems yes\nopen " + kernel("shared_transpose_padded.cu") +
         "\nwait\nexpect front.problems no\nexpect recorded.block 0\nexpect problem none");
}

// Of every kernel of the catalogue: an instruction that does something.
TEST(Opening, IsNeverTheExit) {
  int opened = 0;
  std::size_t number = 0;
  for (const std::string& path : catalogue_kernels()) {
    if (!lanescope::test::in_sample(number++, 4)) continue;
    engine::RunRequest request;
    request.file = path;
    request.text = *read_text(path);
    request.review = request.forbid_nvrtc = true;
    engine::Session session;
    const results::Summary& s = session.run(request);
    if (!s.ok) continue;
    ++opened;
    const std::int64_t step = instructive_step(s, 0);
    const auto mark = std::ranges::find(s.timeline, static_cast<std::uint32_t>(step), &results::TimelineMark::step);
    ASSERT_NE(mark, s.timeline.end()) << path;
    EXPECT_NE(mark->kind, trace::StepKind::exit) << path;
    EXPECT_LT(step, static_cast<std::int64_t>(s.steps) - 1) << path;
    EXPECT_GT(line_of_step(s, step), 0) << path;
  }
  EXPECT_GT(opened, 20);
}

// Laws of the list, on random results: nothing is lost, nothing is twice, the worst comes first.
TEST(ProblemList, HoldsEverythingOnceTheWorstFirst) {
  std::mt19937 random(1);
  const auto below = [&](unsigned n) { return static_cast<int>(random() % n); };
  const std::vector<std::string> rules{"barrier-missing", "bank-conflict", "claim-differs", "partial-lines",
                                       "invented"};
  for (int round = 0; round < 500; ++round) {
    results::Summary s;
    s.ok = true;
    std::size_t expected = 0;
    for (int i = below(3); i > 0; --i) {
      s.faults.push_back(
          {.kind = "trap", .what = {}, .message = "fault " + std::to_string(i), .remedy = {}, .line = below(9)});
      s.diagnostics.push_back({.file = {},
                               .line = s.faults.back().line,
                               .message = s.faults.back().message,
                               .remedy = {},
                               .code = DiagnosticCode::fault});
      ++expected;
    }
    for (int i = below(3); i > 0; --i, ++expected)
      s.diagnostics.push_back({.file = {},
                               .line = below(9),
                               .message = "said " + std::to_string(i),
                               .remedy = {},
                               .severity = static_cast<Severity>(below(3))});
    const int claims = below(4);
    for (int i = 0; i < claims; ++i) {
      results::ClaimInfo c;
      c.claim.first_line = 10 + i;
      c.result.verdict = static_cast<claims::Verdict>(below(3));
      expected += c.result.verdict == claims::Verdict::holds ? 0 : 1;
      s.claims.push_back(c);
    }
    for (int i = below(6); i > 0; --i) {
      results::FindingInfo f;
      f.rule = rules[static_cast<std::size_t>(below(5))];
      f.severity = static_cast<Severity>(below(3));
      f.line = below(20), f.expected = below(4) == 0;
      expected += f.rule == "claim-differs" && claims > 0 ? 0 : 1;
      s.findings.push_back(f);
    }
    const auto problems = results::problems_of(s);
    ASSERT_EQ(problems.size(), expected);
    const results::ProblemCounts counts = results::count(problems);
    ASSERT_EQ(static_cast<std::size_t>(counts.total()), expected);
    for (std::size_t i = 1; i < problems.size(); ++i) ASSERT_LE(problems[i - 1].severity, problems[i].severity);
    for (const results::Problem& p : problems) {
      if (p.expected) {
        ASSERT_EQ(p.severity, Severity::note);
      }
      if (p.finding >= 0) {
        ASSERT_EQ(s.findings[static_cast<std::size_t>(p.finding)].line, p.line);
      }
      if (p.claim >= 0) {
        ASSERT_EQ(s.claims[static_cast<std::size_t>(p.claim)].claim.first_line, p.line);
      }
    }
    // Marks of the timeline are of problems that have a step, no two on one step.
    ASSERT_TRUE(views::problem_marks(s).empty());
  }
}

// --- the grid ------------------------------------------------------------------------------------------------------------

TEST_F(ProblemsTest, TheGridShowsEveryBlockAndAClickRecordsIt) {
  PROBLEMS_NEED_NVRTC();
  open_text("beyond.cu", beyond);
  const results::Summary& s = app().results.summary;
  ASSERT_EQ(s.blocks.size(), 4u);
  std::uint64_t sum = 0;
  for (const results::BlockCounters& b : s.blocks) sum += b.instructions;
  EXPECT_EQ(sum, s.counters.front().instructions);  // line 0: the whole run
  script(
      "command panel.grid\nwait\nexpect scene grid contains grid_block/3/1\nclick scene grid grid_block/1/1\nwait\n"
      "expect recorded.block 1\nclick item Errors\nwait\nexpect recorded.block 3");
}

}  // namespace
}  // namespace lanescope::gui
