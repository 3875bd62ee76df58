// Registers: what the step reads and writes is always in the picture, and its numbers can be read at a projector's size.

#include <algorithm>
#include <regex>
#include <set>

#include "app/gui/model/navigation.h"
#include "app/gui/model/steps.h"
#include "tests/app/gui/fixture.h"
#include "viz/views/base/draw.h"
#include "viz/views/registers/places.h"

namespace lanescope::gui {
namespace {

class RegistersPanelTest : public ExplorerTest {
 protected:
  std::set<std::string> families() {
    std::set<std::string> names;
    for (const results::RegisterGrid& grid : app().results.moment.grids)
      names.insert(app().results.summary.families.at(static_cast<std::size_t>(grid.family)).name);
    return names;
  }
  int line_of(const std::string& words) {
    const std::string& text = app().results.text;
    const std::size_t at = text.find(words);
    EXPECT_NE(at, std::string::npos) << words;
    return 1 + static_cast<int>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
  }
  void go(const std::string& words) { script("line " + std::to_string(line_of(words)) + "\nwait"); }
  const DrawnScene& picture(const std::string& panel) { return frames->stage().scenes.at(panel); }
  /// Numbers of register cells that are painted and large enough, and cells that hold something.
  std::pair<int, int> numbers_and_cells() {
    const DrawnScene& drawn = picture("registers");
    int numbers = 0, cells = 0;
    std::set<std::string> labelled;
    for (const scene::Label& l : drawn.scene.labels) {
      if (l.id.kind != scene::Id::Kind::register_cell || l.text.empty()) continue;
      if (drawn.scale < l.min_scale || l.size * drawn.scale < views::smallest_type) continue;
      if (labelled.insert(scene::to_string(l.id)).second) ++numbers;
    }
    for (const results::RegisterGrid& grid : app().results.moment.grids)
      cells += static_cast<int>(
          std::count_if(grid.cells.begin(), grid.cells.end(), [](const results::Cell& c) { return c.defined; }));
    return {numbers, cells};
  }
};

TEST_F(RegistersPanelTest, TheShuffleOfTheFirstKernelIsInThePicture) {
  open_kernel("half2_transposes.cu");
  go("tmp = __shfl_sync(~0u, tmp, laneId ^ 0x4);\n    y0");
  EXPECT_TRUE(families().contains("tmp"));
  EXPECT_TRUE(families().contains("y"));
  EXPECT_TRUE(families().contains("laneId"));
  EXPECT_FALSE(app().results.moment.moves.empty());
  EXPECT_FALSE(picture("registers").scene.arrows.empty()) << "data go from lane to lane here";
  int across = 0;
  for (const results::Move& m : app().results.moment.moves) across += m.from.lane != m.to.lane;
  EXPECT_EQ(across, 64) << "32 lanes of two halves";
  script("expect text not \"in none of the registers shown\"");
}

// An element that is followed from a cell of y stays in the picture while it moves.
TEST_F(RegistersPanelTest, AClickedCellDoesNotHideTheOtherRegisters) {
  open_kernel("half2_transposes.cu");
  go("__half2 tmp = (laneId & 0x4) ? y0 : y1;");
  script("click scene registers " + cell(0, 0, 4, 0));
  ASSERT_GE(app().navigation.selection.family, 0);
  go("tmp = __shfl_sync(~0u, tmp, laneId ^ 0x4);\n    y0");
  EXPECT_TRUE(families().contains("tmp"));
  EXPECT_TRUE(families().contains("y"));
}

TEST_F(RegistersPanelTest, TheLoadOfYShowsY) {
  open_kernel("shared_transpose_naive.cu");
  go("float y = tile");
  EXPECT_TRUE(families().contains("y"));
  EXPECT_EQ(app().results.summary.families.at(static_cast<std::size_t>(app().results.moment.assignment_family)).name,
            "y")
      << "the array with a claim that is written here";
}

// Oracle: words of the line's text. Every variable that the line names and that has a register is shown.
TEST_F(RegistersPanelTest, WhatALineNamesIsShown) {
  for (const char* name : {"half2_transposes.cu", "shared_transpose_naive.cu", "warp_sum.cu", "rmse_private.cu"}) {
    open_kernel(name);
    const results::Summary& s = app().results.summary;
    std::set<int> lines;
    for (const results::TimelineMark& mark : s.timeline) lines.insert(mark.line);
    std::vector<std::string> text;
    for (std::size_t at = 0; at <= app().results.text.size();) {
      const std::size_t end = std::min(app().results.text.find('\n', at), app().results.text.size());
      text.push_back(app().results.text.substr(at, end - at));
      at = end + 1;
    }
    const std::regex word("[A-Za-z_][A-Za-z_0-9]*");
    for (const int line : lines) {
      if (line <= 0 || line > static_cast<int>(text.size())) continue;
      views::Selection at;
      at.line = line;
      const ShownRegisters shown = registers_to_show(s, app().results.names, at);
      std::set<std::string> visible;
      for (const int f : shown.families) {
        for (const std::string& r : s.families.at(static_cast<std::size_t>(f)).registers)
          visible.insert(r.substr(0, r.find_first_of(".[")));
      }
      std::string code = text[static_cast<std::size_t>(line - 1)];
      code = code.substr(0, code.find("//"));
      for (auto w = std::sregex_iterator(code.begin(), code.end(), word); w != std::sregex_iterator(); ++w) {
        const auto before = static_cast<std::size_t>(w->position());
        if (before > 0 && code[before - 1] == '.') continue;
        const bool has_register = std::any_of(s.families.begin(), s.families.end(), [&](const auto& f) {
          return f.first_line <= line && std::any_of(f.registers.begin(), f.registers.end(), [&](const std::string& r) {
                   return r.substr(0, r.find_first_of(".[")) == w->str();
                 });
        });
        EXPECT_TRUE(!has_register || visible.contains(w->str())) << name << ":" << line << " " << w->str();
      }
      EXPECT_EQ(std::set<int>(shown.families.begin(), shown.families.end()).size(), shown.families.size());
    }
  }
}

TEST_F(RegistersPanelTest, NumbersCanBeReadAtAProjectorsSize) {
  ExplorerOptions o = options_for(kernel("half2_transposes.cu"));
  o.width = 1280, o.height = 800;
  open(o);
  for (const char* arrangement : {"Learn", "Debug"}) {
    script("set arrangement " + std::string(arrangement));
    for (const char* words : {"tmp = __shfl_sync(~0u, tmp, laneId ^ 0x4);\n    y0", "__half2 y0 =", "= y3;"}) {
      go(words);
      const auto [numbers, cells] = numbers_and_cells();
      EXPECT_GT(cells, 0);
      EXPECT_EQ(numbers, cells) << arrangement << " at " << words;
    }
  }
}

TEST_F(RegistersPanelTest, PresentationIsOnePictureAsLargeAsItGoes) {
  for (const auto& [width, height] : {std::pair{1280, 800}, {1600, 1000}, {1920, 1080}}) {
    ExplorerOptions o = options_for(kernel("half2_transposes.cu"));
    o.width = width, o.height = height;
    open(o);
    go("tmp = __shfl_sync(~0u, tmp, laneId ^ 0x4);\n    y0");
    const auto extent = [&] {
      const DrawnScene& d = picture("registers");
      for (const scene::Box& b : d.scene.boxes) {
        if (b.id.kind == scene::Id::Kind::register_cell) return std::pair{b.rect.w * d.scale, b.rect.h * d.scale};
      }
      return std::pair{0.0f, 0.0f};
    };
    const auto [w, h] = extent();
    script("key F5\nwait\nexpect presentation yes\nexpect presentation.picture registers");
    const auto [large_w, large_h] = extent();
    EXPECT_GT(large_w, w * 1.4f) << width;
    EXPECT_GT(large_h, h * 1.1f) << width;
    const DrawnScene& d = picture("registers");
    EXPECT_LE(d.scene.height * d.scale, d.area.h + 1) << "all rows are in sight";
    EXPECT_LE(d.scene.width * d.scale, d.area.w + 1);
    const auto [numbers, cells] = numbers_and_cells();
    EXPECT_EQ(numbers, cells);
    EXPECT_EQ(frames->stage().scenes.size(), 1u) << "nothing else";
    script("expect text \"claims hold\"\nexpect text \"This step writes tmp in 32 lanes.\"");
    script("expect text \"from another lane\"\nexpect text \"__shfl_sync\"\nexpect text \"y0 = \"");
  }
}

TEST_F(RegistersPanelTest, TheRestOfThePresentationIsOneKeyAway) {
  open_kernel("shared_transpose_naive.cu");
  go("float y = tile");
  script(
      "key F5\nexpect presentation.picture registers\nkey Tab\nexpect presentation.picture movement\nkey Tab\nexpect "
      "presentation.picture assignment");
  script("key Tab\nexpect presentation.picture global\nkey Tab\nexpect presentation.picture shared\nwait");
  script("expect text \"takes 32 wavefronts; 1 would be enough\"");  // the caption
  script("key Tab\nexpect presentation.picture timeline\nkey Tab\nexpect presentation.picture registers");
  script("command panel.inspector\nexpect presentation.picture inspector\nkey F5\nexpect presentation no");
  script("expect presentation.picture none\nkey F5\nexpect presentation.picture registers");
  script("expect text \"This line loads y in 32 lanes from shared memory.\"");
  // Steps from the stage, by button, key and track.
  const std::int64_t before = app().navigation.selection.step;
  script("click item Back\nwait");
  EXPECT_LT(app().navigation.selection.step, before);
  script("click item Next\nwait");
  EXPECT_EQ(app().navigation.selection.step, before);
  script("click item \"Steps of the presentation\"\nwait");
  EXPECT_NE(app().navigation.selection.step, before);
}

TEST_F(RegistersPanelTest, TheViewFollowsThePlayedWavefront) {
  ExplorerOptions o = options_for(kernel("shared_transpose_naive.cu"));
  o.width = 1280, o.height = 800;
  open(o);
  go("float y = tile");
  for (const char* layout : {"", "key X\nwait\n"}) {
    script(layout + std::string("key Shift+V"));
    for (int wavefront = 0; wavefront < 32; ++wavefront) {
      script("key ]\nwait");
      ASSERT_EQ(app().memory.wavefront, wavefront);
      const DrawnScene& d = picture("shared");
      const scene::Box* served = scene::find(d.scene, {.kind = scene::Id::Kind::shared_word, .a = wavefront * 32});
      ASSERT_NE(served, nullptr) << wavefront;
      const ImVec2 at = d.to_screen({served->rect.x, served->rect.y + served->rect.h / 2});
      EXPECT_TRUE(d.area.contains(at)) << wavefront;
    }
  }
}

// Labels at the right of the source do not stand on code.
TEST_F(RegistersPanelTest, BadgesDoNotCoverCode) {
  // "step 29", and nothing after the number.
  const auto has_step_label = [] {
    return std::any_of(texts().begin(), texts().end(), [](const std::string& t) {
      return t.size() > 5 && t.starts_with("step ") && t.find_first_not_of("0123456789", 5) == t.npos;
    });
  };
  for (const auto& [width, shown] : {std::pair{3200, true}, {1280, false}}) {
    ExplorerOptions o = options_for(kernel("shared_transpose_naive.cu"));
    o.width = width, o.height = 800;
    o.scale = 1;
    open(o);
    go("float y = tile");
    record_items(true);
    frames->settle(2);
    EXPECT_EQ(has_step_label(), shown) << "the line's code reaches as far as the label: " << width;
  }
  script("set heat instructions\nset arrangement Learn\nframes 2");
  record_items(true);
  frames->settle(2);
  const auto area = find_item("Source text");
  ASSERT_TRUE(area);
  const Picture picture = frames->platform().read_back();
  std::set<std::uint32_t> colours;
  for (int y = static_cast<int>(area->y) + 4; y < static_cast<int>(area->y + area->h) - 4; ++y) {
    for (int x = static_cast<int>(area->x + area->w) - 5; x < static_cast<int>(area->x + area->w) - 1; ++x) {
      const std::uint8_t* p = &picture.rgba[(static_cast<std::size_t>(y) * picture.width + x) * 4];
      colours.insert(static_cast<std::uint32_t>(p[0] << 16 | p[1] << 8 | p[2]));
    }
  }
  EXPECT_LE(colours.size(), 4u) << "grounds of the panel, the current line and the heat: no ink of letters";
}

TEST_F(RegistersPanelTest, KernelsWithoutClaimsShowValues) {
  const std::string path = folder() + "/plain.cu";
  ASSERT_TRUE(write_text(path,
                         "/*\n[lanescope]\nblock = [32]\n[buffers]\nq = \"s32 n:32 = zeros\"\n*/\n"
                         "__global__ void f(int *q)\n{\n    int a = threadIdx.x * 3;\n    int b = a + 1;\n"
                         "    q[threadIdx.x] = b;\n}\n"));
  open(options_for(path));
  if (!app().results.have) GTEST_SKIP() << "NVRTC is not installed";
  go("int b = a + 1;");
  EXPECT_TRUE(families().contains("b"));
  const auto [numbers, cells] = numbers_and_cells();
  EXPECT_GT(cells, 0);
  EXPECT_EQ(numbers, cells);
  std::set<std::string> words;
  for (const scene::Label& l : picture("registers").scene.labels) words.insert(l.text);
  EXPECT_TRUE(words.contains("94")) << "31 * 3 + 1";
}

}  // namespace
}  // namespace lanescope::gui
