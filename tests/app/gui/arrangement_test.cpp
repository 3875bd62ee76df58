// Placement: panels fill the window without overlap, whatever is hidden.

#include "app/gui/arrangement.h"

#include <gtest/gtest.h>

#include <random>

namespace lanescope::gui {
namespace {

double area_of(const Area& a) { return static_cast<double>(a.w) * a.h; }

bool overlap(const Area& a, const Area& b) {
  return a.x + a.w > b.x + 0.01f && b.x + b.w > a.x + 0.01f && a.y + a.h > b.y + 0.01f && b.y + b.h > a.y + 0.01f;
}

TEST(Placement, AnyChoiceOfHiddenPanelsFillsTheWindow) {
  std::mt19937 random(3);
  const Area whole{8, 52, 1584, 940};
  for (int trial = 0; trial < 400; ++trial) {
    ViewOptions o;
    o.arrangement = static_cast<Arrangement>(random() % arrangement_count);
    int visible = 0;
    for (bool& hidden : o.hidden) visible += !(hidden = random() % 3 == 0);
    const Placement p = place(o, whole, 8, 96);
    ASSERT_EQ(static_cast<int>(p.panels.size()), visible);
    double covered = 0;
    for (std::size_t i = 0; i < p.panels.size(); ++i) {
      covered += area_of(p.panels[i].area);
      for (std::size_t k = 0; k < i; ++k) ASSERT_FALSE(overlap(p.panels[i].area, p.panels[k].area));
    }
    for (const Splitter& s : p.splitters) covered += area_of(s.area);
    if (visible > 0) {
      EXPECT_NEAR(covered, area_of(whole), 1.0);
    }
  }
}

TEST(Placement, AMaximisedPanelIsAlone) {
  ViewOptions o;
  o.maximised = PanelId::shared;
  const Placement p = place(o, {0, 0, 100, 100}, 8, 10);
  ASSERT_EQ(p.panels.size(), 1u);
  EXPECT_EQ(p.panels[0].panel, PanelId::shared);
  EXPECT_TRUE(p.splitters.empty());
}

TEST(Placement, DraggingASplitterPutsItThere) {
  ViewOptions o;
  const Area whole{0, 0, 1000, 800};
  const Splitter s = place(o, whole, 8, 50).splitters[0];
  o.shares[0][s.split] = share_at(s, 600);
  const Splitter moved = place(o, whole, 8, 50).splitters[0];
  EXPECT_NEAR(moved.area.y + 4, 600, 1);
}

}  // namespace
}  // namespace lanescope::gui
