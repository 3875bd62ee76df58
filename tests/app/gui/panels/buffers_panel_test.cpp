// The panel of buffers: elements of a run without a GPU, pages, the way to the first difference, and what a measurement
// says beside them.

#include <fstream>

#include "app/engine/wire/measured_file.h"
#include "app/gui/commands/command.h"
#include "app/gui/state/buffer_pages.h"
#include "tests/app/gui/fixture.h"
#include "tests/viz/buffer_fixtures.h"
#include "viz/views/base/csv.h"

namespace lanescope::gui {
namespace {

class BuffersPanelTest : public ExplorerTest {
 protected:
  void open_buffers(const std::string& name) {
    open_kernel(name);
    script("command panel.buffers\nwait\nframes 3\nwait\nframes 2");
    ASSERT_TRUE(app().shell.in_front(PanelId::buffers));
  }
  std::size_t cells() {
    const auto& boxes = frames->stage().scenes.at("buffers").scene.boxes;
    return static_cast<std::size_t>(std::count_if(
        boxes.begin(), boxes.end(), [](const auto& b) { return b.id.kind == scene::Id::Kind::buffer_element; }));
  }
  std::string element(int buffer, std::uint64_t n) {
    return "buffer_element/" + std::to_string(buffer) + "/" + std::to_string(n);
  }
  /// A measurement of this kernel in which the last of `buffers` is not as the emulator has it.
  std::string differing(std::uint64_t first) {
    results::Measured m{.device = "NVIDIA H200"};
    const auto& buffers = app().results.summary.buffers;
    for (const results::BufferInfo& b : buffers) m.buffers.push_back({b.name, b.elements, 0, 0, "", ""});
    m.buffers.back().different = 2, m.buffers.back().first = first;
    m.buffers.back().gpu = "0.125", m.buffers.back().emulator = "0.25";
    m.trace =
        results::TraceInfo{.difference = "lane 20 of the store was elsewhere", .pair = views::fixtures::access_pair()};
    const std::string path = folder() + "/m.json";
    std::ofstream(path) << engine::to_text(
        {.file = "a.cu", .kernel = app().results.summary.kernel, .measured = std::move(m)});
    return path;
  }
};

TEST_F(BuffersPanelTest, WithoutAGpuItShowsWhatTheLaunchesChanged) {
  open_buffers("shared_transpose_naive.cu");
  const results::Contents& c = app().results.contents;
  ASSERT_GE(c.buffer, 0);
  EXPECT_GT(c.written, 0u) << "the buffer that shows most is a written one";
  EXPECT_TRUE(c.gpu.empty());
  EXPECT_EQ(cells(), c.count);
  script("expect text changed by the launches\nexpect text not GPU and emulator");
  EXPECT_FALSE(refusal_of(app(), *find_command("buffers.first_difference")).empty());
  const auto rows = views::csv::parse(views::buffers_csv(app().results.summary, c));
  EXPECT_EQ(rows.size(), c.count + 1);
}

TEST_F(BuffersPanelTest, PagesAndBuffersTurn) {
  open_buffers("half2_transposes.cu");
  const int buffer = app().results.contents.buffer;
  const std::uint64_t page = app().results.contents.count, elements = app().results.contents.elements;
  ASSERT_GT(elements, page) << "a kernel with more than a page";
  EXPECT_FALSE(run_script(*frames, "command buffers.previous_page").ok) << "these are the first";
  std::vector<std::uint64_t> firsts{0};
  while (refusal_of_page(app(), 1).empty() && firsts.size() < 5) {
    script("command buffers.next_page\nwait\nframes 3\nwait\nframes 2");
    firsts.push_back(app().results.contents.first);
    EXPECT_EQ(app().results.contents.buffer, buffer);
    EXPECT_EQ(firsts.back(), std::min(firsts[firsts.size() - 2] + page, elements - page));
    script("expect scene buffers contains " + element(buffer, firsts.back()));
  }
  script("key Alt+PageUp\nwait\nframes 3\nwait\nframes 2");
  EXPECT_EQ(app().results.contents.first, firsts.back() - page);
  script("command buffers.next\nwait\nframes 3\nwait\nframes 2");
  EXPECT_NE(app().results.contents.buffer, buffer);
  EXPECT_EQ(app().results.contents.first, 0u);
}

TEST_F(BuffersPanelTest, AnElementIsSelectedEverywhere) {
  open_buffers("shared_transpose_naive.cu");
  const int buffer = app().results.contents.buffer;
  script("hover scene buffers " + element(buffer, 3) + "\nframes 2");
  EXPECT_EQ(app().navigation.shown().element, (std::pair{buffer, std::uint64_t{3}}));
  script("click scene buffers " + element(buffer, 5) + "\nframes 2");
  EXPECT_EQ(app().navigation.selection.element, (std::pair{buffer, std::uint64_t{5}}));
  EXPECT_TRUE(app().navigation.selection.address.has_value());
}

TEST_F(BuffersPanelTest, AMeasurementLeadsToTheFirstDifference) {
  open_buffers("shared_transpose_naive.cu");
  const int last = static_cast<int>(app().results.summary.buffers.size()) - 1;
  const std::uint64_t wrong = app().results.summary.buffers.back().elements / 2 + 3;
  script("command buffers.next\nwait\nframes 3\nwait");
  script("measurement " + differing(wrong) + "\nframes 2\nexpect text first at\nexpect text 12 of 32 lanes differ");
  script("expect scene buffers contains access_lane/20/1");
  EXPECT_TRUE(refusal_of(app(), *find_command("buffers.first_difference")).empty());
  script("click item \"First mismatching element\"\nwait\nframes 3\nwait\nframes 2");
  EXPECT_EQ(app().results.contents.buffer, last);
  EXPECT_LE(app().results.contents.first, wrong);
  EXPECT_LT(wrong, app().results.contents.first + app().results.contents.count);
  EXPECT_EQ(app().navigation.selection.element, (std::pair{last, wrong}));
  script("expect scene buffers contains " + element(last, wrong));
  const DrawnScene& drawn = frames->stage().scenes.at("buffers");
  const scene::Id id{.kind = scene::Id::Kind::buffer_element, .a = last, .b = static_cast<int>(wrong)};
  const scene::Box* box = scene::find(drawn.scene, id);
  ASSERT_NE(box, nullptr);
  EXPECT_TRUE(drawn.area.contains(drawn.to_screen({box->rect.x, box->rect.y}))) << "it is in sight";
  EXPECT_TRUE(drawn.area.contains(drawn.to_screen({box->rect.x + box->rect.w, box->rect.y + box->rect.h})));
  script("expect text is 0.25 in the emulator and 0.125 on the GPU");
  script("scroll scene buffers " + element(last, wrong) + " 200\nframes 2");
  script("click scene buffers buffer_row/0\nwait\nframes 3\nwait\nframes 2");
  EXPECT_EQ(app().results.contents.buffer, 0);
  EXPECT_EQ(app().results.contents.first, 0u);
}

}  // namespace
}  // namespace lanescope::gui
