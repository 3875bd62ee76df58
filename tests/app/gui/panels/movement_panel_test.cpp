// The movement of a statement under the hand: bar, wheel, keys, play, pointing, the stage and the printed picture.

#include <algorithm>
#include <fstream>
#include <iterator>

#include "tests/app/gui/fixture.h"
#include "tests/viz/scene_queries.h"

namespace lanescope::gui {
namespace {

class MovementPanelTest : public ExplorerTest {
 protected:
  void show(const std::string& file, const std::string& words) {
    ExplorerOptions o = options_for(kernel(file));
    o.width = 1280, o.height = 800;
    open(o);
    const std::string& text = app().document.text();
    const std::size_t at = text.find(words);
    ASSERT_NE(at, std::string::npos);
    const auto line = 1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n');
    script("line " + std::to_string(line) + "\ncommand panel.movement\nwait\nexpect front.movement yes");
  }
  const scene::Scene& picture() { return frames->stage().scenes.at("movement").scene; }
  float share() { return app().navigation.selection.share; }
  int chips() { return views::count(picture(), scene::Id::Kind::movement_chip); }
};

/// The compiler computes an index of another line between load and store of this one: a line that is clicked leads on
/// to where its values arrive.
TEST_F(MovementPanelTest, ALineThatIsInterruptedLeadsToWhereItWrites) {
  if (!compile::toolchain().nvrtc) GTEST_SKIP() << "NVRTC is not installed";
  std::ofstream(folder() + "/tiles.cu") << R"(template <int N>
__global__ void transposed(float *out, const float *in, int width, int height) {
  __shared__ float tile[N][N];
  int x = blockIdx.x * N + threadIdx.x;
  int y = blockIdx.y * N + threadIdx.y;
  if (x < width && y < height) tile[threadIdx.y][threadIdx.x] = in[y * width + x];
  __syncthreads();
  x = blockIdx.y * N + threadIdx.x;
  y = blockIdx.x * N + threadIdx.y;
  if (x < height && y < width) out[y * height + x] = tile[threadIdx.x][threadIdx.y];
}
int main() {
  float *a, *b;
  cudaMalloc(&a, 64 * 32 * 4);
  cudaMalloc(&b, 64 * 32 * 4);
  transposed<16><<<dim3(4, 2), dim3(16, 16)>>>(b, a, 64, 32);
}
)";
  open(options_for(folder() + "/tiles.cu"));
  script("line 10\nwait\ncommand panel.movement\nwait");
  if (fact("movement.values") == "0") {
    script("expect text line 10 writes at a later step\nclick item \"Go there\"\nwait\nexpect selection.line 10");
    EXPECT_FALSE(find_item("Go there"));
  }
  EXPECT_NE(fact("movement.words").find("from shared memory to out"), std::string::npos) << fact("movement.words");
}

TEST_F(MovementPanelTest, TheHandGoesFromBeforeToAfter) {
  show("shuffle_variants.cu", "uint backwards");
  script("expect movement.share 1.00\nexpect movement.values 32\nexpect movement.playing no");
  script("expect text \"the bits of the lane number are reversed\"");
  EXPECT_EQ(chips(), 32);
  script("key Shift+Home\nexpect movement.share 0.00\nkey Shift+. 3\nexpect movement.share 0.15\nkey Shift+,");
  script("expect movement.share 0.10\nkey Shift+End\nexpect movement.share 1.00");
  script("set share 0.5\nexpect movement.share 0.50");
  script("scroll scene movement movement_cell/1/16/0 -2\nexpect movement.share 0.60");
  script("scroll scene movement movement_cell/1/16/0 30\nexpect movement.share 0.00");
  script("drag item \"Position between before and after\" 120 0");
  EXPECT_GT(share(), 0.5f);
  EXPECT_LT(share(), 1.0f);
  // By hand in the picture itself.
  script("set share 0.5\ndrag scene movement movement_cell/1/16/0 60 0");
  EXPECT_GT(share(), 0.52f);
  // Another step begins with its end.
  script("key Right\nwait\nexpect movement.share 1.00");
  EXPECT_FALSE(run_script(*frames, "set share 1.5").ok);
}

TEST_F(MovementPanelTest, ScrubbingRemakesThisPictureOnly) {
  show("half2_transposes.cu", "__half2 y3 = __highs2half2");
  script("expect movement.values 256\nexpect movement.lines lines 39 to 42");
  frames->settle(4);
  for (int k = 1; k < 8; ++k) {
    const std::uint64_t made = frames->stage().scenes_made;
    app().movement.go_to(static_cast<float>(k) / 8);
    frames->frame();
    EXPECT_EQ(frames->stage().scenes_made, made + 1);
  }
  const std::uint64_t made = frames->stage().scenes_made;
  frames->settle(4);
  EXPECT_EQ(frames->stage().scenes_made, made) << "nothing is rebuilt while nothing moves";
  EXPECT_FALSE(app().update(frames->seconds()));
}

TEST_F(MovementPanelTest, PlaysOnceWithASpeedAndStops) {
  show("shuffle_variants.cu", "uint paired");
  script("key Shift+Space\nexpect movement.playing yes\nexpect movement.share not 1.00");
  EXPECT_LT(app().due_in(frames->seconds()), 0.02) << "it is drawn again at once";
  double now = app().shell.now;
  std::vector<float> shares;
  for (int n = 0; n < 40 && app().movement.playing(); ++n) {
    EXPECT_TRUE(app().update(now += 0.1));
    shares.push_back(share());
  }
  EXPECT_TRUE(std::is_sorted(shares.begin(), shares.end()));
  EXPECT_EQ(shares.back(), 1);
  const std::size_t usual = shares.size();
  script("command movement.speed\nexpect movement.speed 2\nkey Shift+Space");
  now = app().shell.now;
  std::size_t twice = 0;
  for (; twice < 40 && app().movement.playing(); ++twice) app().update(now += 0.1);
  EXPECT_NEAR(static_cast<double>(twice), static_cast<double>(usual) / 2, 1.1);
  EXPECT_GT(app().due_in(now), 0.02) << "nothing is due while nothing plays";
  script("key Shift+Space\nset share 0.3\nexpect movement.playing no\nkey Shift+Space\nkey Escape");
  script("expect movement.playing no");
}

TEST_F(MovementPanelTest, AnArrowForEachPointedElement) {
  show("shuffle_variants.cu", "uint backwards");
  script("hover at 5 5\nset share 0.5");
  EXPECT_TRUE(picture().arrows.empty());
  script("hover scene movement movement_cell/1/16/0\nframes 3");
  ASSERT_EQ(picture().arrows.size(), 1u);
  const scene::Arrow arrow = picture().arrows[0];
  const scene::Box* from = scene::find(picture(), *scene::parse_id("movement_cell/1/16/0"));
  ASSERT_NE(from, nullptr);
  EXPECT_NEAR(arrow.from.x, from->rect.x + from->rect.w / 2, 1);
  // Lane 1 receives from lane 16.
  const scene::Box* to = scene::find(picture(), *scene::parse_id("movement_cell/0/1/1"));
  ASSERT_NE(to, nullptr);
  EXPECT_NEAR(arrow.to.x, to->rect.x + to->rect.w / 2, 1);
  script("hover at 5 5\nframes 2");
  app().navigation.selection.pins = {{0, 16}, {0, 3}};
  frames->settle(2);
  EXPECT_EQ(picture().arrows.size(), 2u) << "what is followed keeps its arrow";
}

TEST_F(MovementPanelTest, EachStepOfAButterflyIsReachedByKey) {
  const std::string path = folder() + "/butterfly.cu";
  std::ofstream(path)
      << "/*\n[lanescope]\nblock = 32\n\n[buffers]\np = \"f32 i:32\"\nq = \"f32 i:32\"\n*/\n"
         "__global__ void butterfly(const float *p, float *q)\n{\n    float sum = p[threadIdx.x];\n"
         "    for (int mask = 16; mask > 0; mask /= 2) {\n"
         "        sum += __shfl_xor_sync(0xffffffff, sum, mask);\n    }\n    q[threadIdx.x] = sum;\n}\n";
  open(options_for(path));
  if (!app().results.have) GTEST_SKIP() << "NVRTC is not installed";
  script("key Home\ncommand panel.movement\nwait");
  // Between the sums the loop divides its mask.
  for (int mask = 16; mask > 0; mask /= 2) {
    const std::string wanted = "lane l receives from lane l xor " + std::to_string(mask);
    int keys = 0;
    for (; keys < 4 && fact("movement.words").find(wanted) == std::string::npos; ++keys) script("key Shift+N\nwait");
    EXPECT_LE(keys, mask == 16 ? 4 : 2) << fact("movement.words");
    script("expect movement.values 64");
  }
  const std::string last = fact("movement.words");
  script("key Shift+N\nwait");
  EXPECT_NE(fact("movement.words"), last);
  script("key Shift+P\nwait");
  EXPECT_EQ(fact("movement.words"), last);
}

TEST_F(MovementPanelTest, OnTheStageAndOnPaper) {
  show("shared_transpose_naive.cu", "float y = tile");
  const std::string path = folder() + "/movement.svg";
  script("set share 0.5");
  app().shell.export_request = ExportRequest{.panel = PanelId::movement, .path = path};
  frames->settle(3);
  std::ifstream file(path);
  const std::string svg((std::istreambuf_iterator<char>(file)), {});
  EXPECT_NE(svg.find("movement_chip"), std::string::npos);
  EXPECT_NE(svg.find("shared memory into y"), std::string::npos);
  script("key F5\nwait\nexpect presentation.picture movement\nexpect text \"a column, all in one bank\"");
  EXPECT_EQ(frames->stage().scenes.size(), 1u);
  script("key Shift+Home\nexpect movement.share 0.00\nkey Shift+.\nexpect movement.share 0.05\nkey F5");
}

}  // namespace
}  // namespace lanescope::gui
