// The painter into a draw list, with a context but no window: what is drawn is counted in vertices.

#include "viz/paint/imgui/imgui_painter.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <imgui.h>

#include "kernels/resources/resources.h"
#include "tests/work.h"

#ifdef IMGUI_ENABLE_TEST_ENGINE
struct ImRect;
struct ImGuiLastItemData;
void ImGuiTestEngineHook_ItemAdd(ImGuiContext*, ImGuiID, const ImRect&, const ImGuiLastItemData*) {}
void ImGuiTestEngineHook_ItemInfo(ImGuiContext*, ImGuiID, const char*, int) {}
void ImGuiTestEngineHook_Log(ImGuiContext*, const char*, ...) {}
const char* ImGuiTestEngine_FindItemDebugLabel(ImGuiContext*, ImGuiID) { return nullptr; }
#endif

namespace lanescope::paint {
namespace {

class ImguiPainter : public testing::Test {
 protected:
  ImguiPainter() {
    ImGui::CreateContext();
    ImGuiIO& io = ImGui::GetIO();
    io.IniFilename = nullptr;
    io.DisplaySize = {1600, 1000};
    io.Fonts->AddFontDefault();
    for (int face = 0; face < 4; ++face) {
      const std::string& file = resources::font(face < 2 ? resources::Font::sans : resources::Font::mono);
      for (float px : {10.0f, 13.0f, 20.0f}) {
        fonts_.faces[face].push_back(
            io.Fonts->AddFontFromFileTTF(file.c_str(), px, nullptr, scene_glyph_ranges().data()));
      }
    }
    io.Fonts->Build();
    ImGui::NewFrame();
  }
  ~ImguiPainter() override {
    ImGui::EndFrame();
    ImGui::DestroyContext();
  }
  int vertices(const scene::Scene& scene, const ImguiView& view) {
    ImDrawList& list = *ImGui::GetForegroundDrawList();
    const int before = list.VtxBuffer.Size;
    paint(list, scene, {}, fonts_, view);
    return list.VtxBuffer.Size - before;
  }
  ImguiFonts fonts_;
};

scene::Scene cells(int rows, bool labelled) {
  scene::Scene s;
  s.width = 32 * 22, s.height = static_cast<float>(rows) * 33;
  for (int row = 0; row < rows; ++row) {
    for (int lane = 0; lane < 32; ++lane) {
      const scene::Rect r{static_cast<float>(lane) * 22, static_cast<float>(row) * 33, 21, 32};
      s.boxes.push_back({.id = {.kind = scene::Id::Kind::register_cell, .a = row, .c = lane},
                         .rect = r,
                         .fill = {0x336699ff},
                         .stroke = {},
                         .radius = 2});
      if (!labelled) continue;
      for (float dy : {10.0f, 22.0f}) {
        s.labels.push_back({.id = {},
                            .at = {r.x + 10, r.y + dy},
                            .text = "12",
                            .color = {0xffffffff},
                            .face = scene::Face::mono,
                            .size = 9.5f,
                            .align = scene::Align::center,
                            .max_width = 21,
                            .min_scale = 0.7f});
      }
    }
  }
  return s;
}

TEST_F(ImguiPainter, DrawsWhatIsVisibleOnly) {
  const scene::Scene scene = cells(128, false);
  const int all = vertices(scene, {.origin = {}, .pan = {}, .zoom = 0.2f});
  const int some = vertices(scene, {.origin = {}, .pan = {}, .zoom = 1});
  EXPECT_EQ(all, 4096 * 4);  // corners of less than a pixel are square
  EXPECT_GT(some, 0);
  EXPECT_EQ(vertices(scene, {.origin = {-5000, 0}, .pan = {}, .zoom = 1}), 0);
}

TEST_F(ImguiPainter, LabelsAppearWhenTheyCanBeRead) {
  scene::Scene scene = cells(1, true);
  scene.boxes.clear();
  EXPECT_EQ(vertices(scene, {.origin = {}, .pan = {}, .zoom = 0.65f}), 0);
  EXPECT_EQ(vertices(scene, {.origin = {}, .pan = {}, .zoom = 1}), 32 * 2 * 2 * 4);  // two digits, four corners each
}

TEST_F(ImguiPainter, LongLabelsEndInAnEllipsis) {
  scene::Scene scene;
  scene.labels.push_back({.id = {},
                          .at = {100, 100},
                          .text = "0123456789",
                          .color = {0xffffffff},
                          .face = scene::Face::mono,
                          .size = 13,
                          .max_width = 45});
  const int glyphs = vertices(scene, {.origin = {}, .pan = {}}) / 4;
  EXPECT_EQ(glyphs, 5);  // 45 px hold five digits of 7.8 px, the last of them is the ellipsis
}

TEST_F(ImguiPainter, TheNearestFontIsRatherLarger) {
  EXPECT_EQ(fonts_.nearest(scene::Face::mono, 10)->FontSize, 10);
  EXPECT_EQ(fonts_.nearest(scene::Face::mono, 11)->FontSize, 13);
  EXPECT_EQ(fonts_.nearest(scene::Face::mono, 90)->FontSize, 20);
  EXPECT_NE(ImguiFonts{}.nearest(scene::Face::sans, 10), nullptr);
}

TEST_F(ImguiPainter, ViewMapsThereAndBack) {
  const ImguiView view{.origin = {100, 50}, .pan = {-7, 3}, .zoom = 1.5f};
  const scene::Point p = view.to_scene(view.to_screen({12, 34}));
  EXPECT_NEAR(p.x, 12, 1e-4);
  EXPECT_NEAR(p.y, 34, 1e-4);
}

TEST_F(ImguiPainter, HatchesDashesArrowsAndPillsAreDrawn) {
  scene::Scene scene;
  scene.boxes.push_back(
      {.id = {}, .rect = {10, 10, 40, 30}, .fill = {}, .stroke = {0xffffffff}, .dashed = true, .hatched = true});
  const int boxes = vertices(scene, {.origin = {}, .pan = {}});
  EXPECT_GT(boxes, 60);
  scene.arrows.push_back({.id = {}, .from = {0, 0}, .to = {100, 100}, .color = {0xffffffff}, .count = "×16"});
  EXPECT_GT(vertices(scene, {.origin = {}, .pan = {}}), boxes + 30);
}

TEST_F(ImguiPainter, FourThousandCellsAreQuick) {
  const scene::Scene scene = cells(128, true);
  ImDrawList& list = *ImGui::GetForegroundDrawList();
  list.PushClipRect({0, 0}, {4000, 5000});
  double best = 1e9;
  for (int round = 0; round < 9; ++round) {
    list.VtxBuffer.resize(0), list.IdxBuffer.resize(0);  // keeps their memory, as from frame to frame
    list._VtxWritePtr = list.VtxBuffer.Data, list._IdxWritePtr = list.IdxBuffer.Data, list._VtxCurrentIdx = 0;
    const Work work;
    vertices(scene, {.origin = {}, .pan = {}, .zoom = 1});
    best = std::min(best, work.loops());
  }
  EXPECT_GE(list.VtxBuffer.Size, 4096 * 4 + 8192 * 2 * 4);
  list.PopClipRect();
  fmt::print("4096 cells and 8192 labels: {:.2f} loops\n", best);
  EXPECT_LT(best, 6);
}

}  // namespace
}  // namespace lanescope::paint
