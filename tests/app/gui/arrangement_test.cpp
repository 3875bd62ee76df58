// Placement: panels fill the window without overlap, with any panels hidden.

#include "app/gui/model/arrangement.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include <algorithm>
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
    int placed = 0;
    for (const PlacedPanel& panel : p.panels) {
      placed += static_cast<int>(panel.tabs.size());
      EXPECT_EQ(std::count(panel.tabs.begin(), panel.tabs.end(), panel.panel), 1);
      EXPECT_EQ(front_beside(o, panel.tabs.back()), panel.panel);
      EXPECT_EQ(tabs_beside(o, panel.panel), panel.tabs);
    }
    ASSERT_EQ(placed, visible) << "each in one place";
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

TEST(Placement, WhatIsBroughtToTheFrontIsThereAlone) {
  std::mt19937 random(5);
  for (int trial = 0; trial < 400; ++trial) {
    ViewOptions o;
    o.arrangement = static_cast<Arrangement>(random() % arrangement_count);
    o.hidden = {};
    for (int n = 0; n < 6; ++n) {
      const PanelId id = all_panels[random() % panel_count];
      bring_to_front(o, id);
      EXPECT_EQ(front_beside(o, id), id);
    }
    const auto& front = o.front[static_cast<int>(o.arrangement)];
    for (const PanelId id : front) EXPECT_EQ(front_beside(o, id), id) << "one of each set is kept";
    // A hidden front gives way to another of its tabs, and comes back.
    const PanelId id = front.back();
    o.hidden[static_cast<int>(id)] = true;
    EXPECT_NE(front_beside(o, id), id);
    o.hidden[static_cast<int>(id)] = false;
    EXPECT_EQ(front_beside(o, id), id);
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

/// Where a lesson is open no picture of a moment covers its page; every panel keeps one place.
TEST(Arrangement, PicturesDoNotCoverTheLesson) {
  for (int n = 0; n < arrangement_count; ++n)
    for (const bool low : {false, true})
      for (const bool beside : {false, true}) {
        ViewOptions options;
        options.arrangement = static_cast<Arrangement>(n);
        options.low = low, options.code_beside = beside, options.lesson_open = true;
        for (const PanelId id : all_panels) options.hidden[static_cast<int>(id)] = false;
        const auto tabs = tabs_beside(options, PanelId::lesson);
        for (const PanelId picture : all_panels)
          if (views::is_picture(picture) && picture != PanelId::source) {
            EXPECT_EQ(std::ranges::count(tabs, picture), 0) << panel_name(picture);
          }
        std::multiset<PanelId> placed;
        for (const PlacedPanel& p : place(options, {0, 0, 1280, 800}, 6, 90).panels)
          placed.insert(p.tabs.begin(), p.tabs.end());
        options.lesson_open = false;
        std::multiset<PanelId> before;
        for (const PlacedPanel& p : place(options, {0, 0, 1280, 800}, 6, 90).panels)
          before.insert(p.tabs.begin(), p.tabs.end());
        EXPECT_EQ(placed, before);
      }
}

}  // namespace
}  // namespace lanescope::gui
