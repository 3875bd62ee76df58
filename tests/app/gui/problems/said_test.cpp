// Sentences of the window about problems are whole, true and easy to find: no sentence is cut, a panel whose
// access is part of an error reports that first, and every problem has a way to it, also in another launch.

#include <gtest/gtest.h>

#include "app/gui/commands/command.h"
#include "app/gui/widgets/syntax.h"
#include "kernels/compile/compile.h"
#include "tests/app/gui/fixture.h"

namespace lanescope::gui {
namespace {

struct Said {
  const char* name;
  std::string text;
};

constexpr std::string_view said_beyond = R"(/*
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
constexpr std::string_view said_no_affine = R"(/*
[lanescope]
block = [32]

[buffers]
p = "s32 i:32"
q = "s32 i:32 = zeros"
*/
__global__ void __launch_bounds__(32) mix(const int *p, int *q)
{
    int t = threadIdx.x;
    // x has register assignment:
    //   thread: t4 t3 t2 t1 t0 <-> i4 i3 i2 i1 i0
    int x = p[(t * 5 + t / 7) % 32];
    q[t] = x;
}
)";
constexpr std::string_view said_two_launches = R"(/*
[lanescope]
block = 64

[buffers]
p = "u32 i:64"
q = "u32 i:64 = zeros"
r = "u32 i:64 = zeros"

[[launch]]
kernel = "first"
args = ["p", "q"]
[[launch]]
kernel = "second"
args = ["q", "r"]
*/
extern "C" __global__ void __launch_bounds__(64) first(const unsigned *p, unsigned *q)
{
    q[threadIdx.x] = p[threadIdx.x];
}
extern "C" __global__ void __launch_bounds__(64) second(const unsigned *q, unsigned *r)
{
    __shared__ unsigned s[64];
    s[threadIdx.x] = q[threadIdx.x];
    r[threadIdx.x] = s[63 - threadIdx.x];
}
)";

std::string with(std::string text, const std::string& old, const std::string& by) {
  const std::size_t at = text.find(old);
  EXPECT_NE(at, std::string::npos) << old;
  return at == std::string::npos ? text : text.replace(at, old.size(), by);
}

class SaidTest : public ExplorerTest {
 protected:
  void SetUp() override {
    if (!compile::toolchain().nvrtc) GTEST_SKIP() << "NVRTC is not installed";
  }
  void open_text(std::string_view text, int width = 1600, int height = 1000) {
    const std::string path = folder() + "/said.cu";
    ASSERT_TRUE(write_text(path, text));
    ExplorerOptions options = options_for(path);
    options.width = width, options.height = height;
    open(options);
  }
  static std::string race_text() {
    return with(*read_text(kernel("shared_transpose_padded.cu")), "    __syncthreads();\n", "");
  }
  static std::vector<Said> texts() {
    const std::string beyond(said_beyond), good = with(beyond, "i:200", "i:256");
    return {{"out of bounds", beyond},
            {"no claims", good},
            {"does not compile", with(good, "q[i] = x;", "q[i] = nonsense;")},
            {"race", race_text()},
            {"wrong claim", with(*read_text(kernel("half2_transposes.cu")), "k0 j2\n", "j2 k0\n")},
            {"no affine map", std::string(said_no_affine)},
            {"two launches", std::string(said_two_launches)}};
  }
  /// A scene draws nothing in the colour of what is well.
  bool looks_healthy(const std::string& panel) {
    const auto at = frames->stage().scenes.find(panel);
    if (at == frames->stage().scenes.end()) return false;
    const scene::Color good = app().shell.theme().good;
    const auto green = [&](const auto& shape) { return shape.rgba == good.rgba; };
    for (const scene::Label& label : at->second.scene.labels)
      if (green(label.color)) return true;
    for (const scene::Box& box : at->second.scene.boxes)
      if (green(box.fill) || green(box.stroke)) return true;
    return false;
  }
};

TEST_F(SaidTest, NoSentenceIsCutInAnyArrangement) {
  for (const Said& t : texts()) {
    for (const auto& [width, height] : {std::pair{1280, 800}, std::pair{1600, 1000}}) {
      open_text(t.text, width, height);
      for (const char* arrangement : {"Learn", "Debug", "Profile"}) {
        SCOPED_TRACE(std::string(t.name) + " " + arrangement + " " + std::to_string(width));
        script("set arrangement " + std::string(arrangement) + "\nwait");
        EXPECT_EQ(fact("text.cut"), "none");
      }
    }
  }
}

// Every ink of the source reads on every ground that can be after it.
TEST(Inks, ReadOnEveryGround) {
  for (const views::Theme* theme : views::themes()) {
    for (int n = 0; n <= static_cast<int>(Ink::preprocessor); ++n) {
      const scene::Color ink = ink_color(static_cast<Ink>(n), *theme);
      SCOPED_TRACE(std::string(theme->name) + " ink " + std::to_string(n));
      EXPECT_GE(views::contrast(ink, theme->panel), 4.5);
      EXPECT_GE(views::contrast(ink, theme->row_highlight), 4.5);
      for (const views::Mixed ground : {views::Mixed::selected_text, views::Mixed::found_text})
        EXPECT_GE(views::contrast(ink, views::mixed(*theme, ground)), 3.0) << static_cast<int>(ground);
    }
  }
}

TEST_F(SaidTest, NoNoticeIsCut) {
  open_text(said_no_affine, 1280, 800);
  app().shell.notify({.id = "long",
                      .kind = Notice::Kind::warning,
                      .text = "A sentence that is longer than a window of a projector is wide is broken into several "
                              "lines, so that a person who reads it has at its end what has happened and what to do.",
                      .buttons = {{"Run again", "run.now"}}});
  script("frames 3\nexpect text \"what to do.\"\nexpect text.cut none");
}

TEST_F(SaidTest, ProblemsAreInFrontInEveryArrangement) {
  open_text(said_beyond);
  for (const char* arrangement : {"Debug", "Profile", "Learn"})
    script("set arrangement " + std::string(arrangement) + "\nwait\nexpect front.problems yes");
}

TEST_F(SaidTest, ARaceIsSaidFirstAboveTheAccessAndNothingLooksWell) {
  for (const auto& [width, height] : {std::pair{1280, 800}, std::pair{1600, 1000}}) {
    open_text(race_text(), width, height);
    const std::string words = "■ Race: line 27 writes byte 4 of shared memory, line 28 reads byte 4 of shared memory";
    for (const char* arrangement : {"Learn", "Debug"}) {
      SCOPED_TRACE(std::string(arrangement) + std::to_string(width));
      script("set arrangement " + std::string(arrangement) + "\ncommand problem.worst\nwait\nexpect text \"" + words +
             "\"");
      EXPECT_FALSE(looks_healthy("shared"));
      EXPECT_FALSE(looks_healthy("global"));
    }
    // The other side, and the same access one by one.
    script("set arrangement Learn\nkey Shift+E\nwait\nexpect text \"" + words + "\"\nkey Shift+E\nwait\n" +
           "command wavefront.next\nwait\nexpect text \"" + words + "\"");
    EXPECT_FALSE(looks_healthy("shared"));
    // A step that is part of no problem looks as it is.
    script("line 21\nwait\nexpect text not \"■ Race\"");
    EXPECT_TRUE(looks_healthy("global"));
  }
}

TEST_F(SaidTest, AFaultInSharedMemoryIsSaidInItsPanel) {
  open_text(R"(/*
[lanescope]
block = 64
[buffers]
q = "u32 i:64 = zeros"
*/
extern "C" __global__ void __launch_bounds__(64) k(unsigned *q)
{
    __shared__ unsigned s[64];
    s[threadIdx.x] = threadIdx.x;
    __syncthreads();
    q[threadIdx.x] = s[threadIdx.x + 100000];
}
)");
  const scene::Scene& scene = frames->stage().scenes.at("shared").scene;
  const auto said = [](const scene::Label& l) { return l.text.find("The run ends at this step") != std::string::npos; };
  EXPECT_TRUE(std::ranges::any_of(scene.labels, said));
}

TEST_F(SaidTest, AProblemOfAnotherLaunchIsShownInItsLaunch) {
  open_text(said_two_launches);
  ASSERT_EQ(app().results.summary.launches.size(), 2u);
  // The window opens on the race, which is the second launch's, at a step of it.
  script("expect recorded.launch 1\nexpect selection.step not -1\nexpect text \"launch 2 (second)\"");
  const std::string step = fact("selection.step"), line = fact("selection.line");
  ASSERT_EQ(app().results.problems.front().parties.size(), 2u);
  for (const results::Party& p : app().results.problems.front().parties) EXPECT_GE(p.step, 0);
  // From the first launch one click leads back.
  script("command launch.next\nwait\nexpect recorded.launch 0\nexpect text \"launch 1 of 2\"");
  EXPECT_EQ(app().results.problems.front().step, -1);
  script("click item Errors\nwait\nexpect recorded.launch 1\nexpect selection.step " + step +
         "\nexpect selection.line " + line);
  // So does the list of launches, and a side of the problem.
  script(
      "click item Launch\nexpect menu yes\nclick item \"1  first   grid 1 · block 64\"\nwait\nexpect recorded.launch "
      "0");
  script("click item \"side 1 of problem 1\"\nwait\nexpect recorded.launch 1\nexpect problem.side 0");
  // Another kernel is not looked at in its second launch.
  script("open " + kernel("copy_float.cu") + "\nwait\nexpect recorded.launch 0");
}

TEST_F(SaidTest, BothWritersOfAnElementHaveALineAndAStep) {
  open_text(R"(/*
[lanescope]
block = 64
[buffers]
p = "u32 i:64"
q = "u32 i:64 = zeros"
*/
extern "C" __global__ void __launch_bounds__(64) k(const unsigned *p, unsigned *q)
{
    unsigned x = p[threadIdx.x];
    q[threadIdx.x] = x;
    q[63 - threadIdx.x] = x + 1;
}
)");
  const auto& problems = app().results.problems;
  const auto p = std::ranges::find(problems, "write-overlap", &results::Problem::rule);
  ASSERT_NE(p, problems.end());
  ASSERT_EQ(p->parties.size(), 2u);
  EXPECT_EQ(p->parties[0].line, 11);
  EXPECT_EQ(p->parties[1].line, 12);
  for (const results::Party& side : p->parties) EXPECT_GE(side.step, 0);
  EXPECT_NE(p->message.find("in line 11"), std::string::npos) << p->message;
  const std::string n = std::to_string(p - problems.begin() + 1);
  script("click item \"side 1 of problem " + n + "\"\nwait\nexpect selection.line 11\nclick item \"side 2 of problem " +
         n + "\"\nwait\nexpect selection.line 12");
}

TEST_F(SaidTest, TheRightButtonAtAMarkMendsTheRace) {
  open_text(race_text());
  script(
      "expect problems 1 errors, 0 warnings, 0 notes\nright item \"problem at line 28\"\nframes 3\nexpect menu yes\n"
      "click item \"Put a barrier before this line\"\nwait\nexpect menu no\nexpect problems 0 errors, 0 warnings, 0 "
      "notes");
  EXPECT_NE(app().document.text().find("__syncthreads();\n    float y"), std::string::npos);
  // One step back is the text before.
  script("key Ctrl+Z\nwait\nexpect problems 1 errors, 0 warnings, 0 notes");
}

TEST_F(SaidTest, NoBarrierIsOfferedWhereNoneHelps) {
  open_text(R"(/*
[lanescope]
block = 64
[buffers]
q = "u32 i:64 = zeros"
*/
extern "C" __global__ void __launch_bounds__(64) k(unsigned *q)
{
    __shared__ unsigned s[32];
    s[threadIdx.x & 31] = threadIdx.x;
    __syncthreads();
    q[threadIdx.x] = s[threadIdx.x & 31];
}
)");
  const results::Problem& p = app().results.problems.front();
  ASSERT_EQ(p.rule, "barrier-missing");
  EXPECT_NE(p.message.find("warps 0 and 1 both write byte"), std::string::npos) << p.message;
  EXPECT_EQ(p.remedy.find("add __syncthreads() between"), std::string::npos) << p.remedy;
  script("right item \"problem at line " + std::to_string(p.line) +
         "\"\nframes 3\nexpect text not \"Put a barrier before this line\"");
}

TEST_F(SaidTest, TheVariableOfALoopHasItsValueInTheBody) {
  open_text(R"(/*
[lanescope]
block = [32]
[buffers]
p = "s32 i:128"
q = "s32 i:32 = zeros"
*/
__global__ void __launch_bounds__(32) sum4(const int *p, int *q)
{
    int s = 0;
    for (int i = threadIdx.x; i < 128; i += 32) {
        s += p[i];
    }
    q[threadIdx.x] = s;
}
)");
  const auto& families = app().results.summary.families;
  const auto i = std::ranges::find(families, "i", &results::RegisterArray::name);
  ASSERT_NE(i, families.end());
  script("line 12\nwait\nset label value\nselect i\nwait");
  // The n-th visit of the body: lane 3 holds 3 + 32 n.
  std::vector<std::string> values;
  const int family = static_cast<int>(i - families.begin());
  for (const results::RegisterWrite& w : app().results.summary.writes)
    if (w.family == family) values.push_back(std::to_string(w.step));
  EXPECT_EQ(values.size(), 4u) << "once an iteration";
}

TEST_F(SaidTest, PtxBesideTheSourceIsWholeAt1280) {
  for (const char* name : {"shared_transpose_padded.cu", "half2_transposes.cu", "copy_float4.cu", "rmse_modulo.cu"}) {
    ExplorerOptions options = options_for(kernel(name));
    options.width = 1280, options.height = 800;
    open(options);
    script("set arrangement Debug\ncommand view.code_beside\nwait");
    int rows = 0;
    for (const scene::Label& label : frames->stage().scenes.at("ptx").scene.labels) {
      rows += label.id.kind == scene::Id::Kind::ptx_row ? 1 : 0;
      EXPECT_EQ(label.text.find("…"), std::string::npos) << name << ": " << label.text;
    }
    EXPECT_GT(rows, 10) << name;
  }
}

}  // namespace
}  // namespace lanescope::gui
