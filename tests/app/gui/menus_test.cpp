// Menus, the keys beside them, searching, and what is pinned while the mouse moves.

#include <imgui.h>

#include <algorithm>
#include <fstream>

#include "app/document/document.h"
#include "app/gui/aids/context_menu.h"
#include "app/gui/commands/command.h"
#include "app/gui/state/glossary.h"
#include "tests/app/gui/fixture.h"
#include "viz/views/tooltips.h"

namespace lanescope::gui {
namespace {

class Menus : public ExplorerTest {
 protected:
  /// Time passes and frames are drawn, as while the mouse rests.
  void rest(double seconds) {
    const double until = frames->seconds() + seconds;
    while (frames->seconds() < until) frames->frame();
  }
  void right_click(const std::string& target) { script("right " + target); }
};

TEST_F(Menus, EscapeClosesAListAndNothingElse) {
  open_kernel("half2_transposes.cu");
  script("click scene registers " + cell(0, 0, 3, 1) + "\nexpect selection.place not none");
  const std::string place = fact("selection.place");
  for (const char* list : {"Engine", "Architecture", "Menu", "Heat"}) {
    script("click item " + std::string(list) +
           "\nexpect menu yes\nkey Escape\nexpect menu no\nexpect selection.place " + place);
  }
  script(
      "key M\nclick item Menu\nkey Escape\nexpect menu no\nexpect maximised registers\nkey Escape\nexpect maximised "
      "none");
}

TEST_F(Menus, StepKeysWorkBesideAnOpenList) {
  open_kernel("half2_transposes.cu");
  script("key Home\nwait");
  const std::string first = fact("selection.step");
  script("click item Heat\nexpect menu yes\nkey Right\nwait\nexpect menu no\nexpect selection.step not " + first);
  script("click item Heat\nkey Home\nwait\nexpect menu no\nexpect selection.step " + first);
  script("click item Engine\nkey T\nexpect menu no\nexpect theme light");
}

TEST_F(Menus, ArrowsChooseInAListAndEnterPicks) {
  open_kernel("half2_transposes.cu");
  const std::string step = fact("selection.step");
  script(
      "expect heat none\nclick item Heat\nkey Down 2\nkey Enter\nexpect menu no\nexpect heat not none\nexpect "
      "selection.step " +
      step);
}

TEST_F(Menus, TheMenuIsAButtonAndAKey) {
  open_kernel("half2_transposes.cu");
  script("expect text Menu\nkey F10\nexpect menu yes\nexpect text Measure\nkey F10\nexpect menu no");
  script("click item Menu\nexpect menu yes\nclick item Edit\nclick item \"Find…\"\nexpect search yes");
}

TEST_F(Menus, APanelKeyGoesThereFirstAndHidesOnlyFromThere) {
  open_kernel("half2_transposes.cu");
  script(
      "click item \"Tab registers\"\nexpect active registers\nkey Ctrl+4\nexpect hidden.global no\nexpect active "
      "global");
  script("key Ctrl+4\nexpect hidden.global yes\nkey Ctrl+4\nexpect hidden.global no\nexpect active global");
  script("key F4\nwait\nclick item \"Tab ptx\"\nkey Ctrl+1\nexpect front.source yes\nexpect active source");
}

TEST_F(Menus, KeysInSentencesAreNotFollowedByADot) {
  open_kernel("half2_transposes.cu");
  app().results.have = false;
  app().results.running = true;
  frames->settle();
  script("expect text not Ctrl+..");
}

TEST_F(Menus, PointingElsewhereDoesNotReplaceWhatIsPinned) {
  open_kernel("half2_transposes.cu");
  script("key Home\nkey N\nwait");
  script("click scene registers " + cell(0, 0, 3, 1));
  const auto pinned = app().navigation.shown();
  ASSERT_TRUE(pinned.element);
  script("hover scene registers " + cell(1, 0, 9, 0) + "\nexpect hovered " + cell(1, 0, 9, 0));
  EXPECT_EQ(app().navigation.shown().element, pinned.element);
  EXPECT_EQ(app().navigation.shown().place, pinned.place);
  // Nothing pinned: pointing shows the element in every view.
  script("key Escape\nhover scene registers " + cell(1, 0, 9, 0));
  ASSERT_TRUE(app().navigation.shown().place);
  EXPECT_EQ(app().navigation.shown().place->lane, 9);
}

TEST_F(Menus, FactsStandAtTheMouseAndTheInspectorStandsStill) {
  open_kernel("half2_transposes.cu");
  script("key Home\nkey N\nwait\nhover at 4 4");
  const auto item_y = [&] {
    const auto item = find_item("claim at line " + std::to_string(app().results.summary.claims[0].claim.first_line));
    return item ? item->y : -1.0f;
  };
  const float before = item_y();
  std::string word;
  for (const scene::Box& b : frames->stage().scenes.at("global").scene.boxes)
    if (word.empty() && b.id.kind == scene::Id::Kind::memory_word) word = scene::to_string(b.id);
  ASSERT_GT(before, 0);
  for (const std::string& target :
       {"registers " + cell(0, 0, 3, 1), "global " + word, "timeline timeline_step/" + fact("selection.step")}) {
    script("hover scene " + target + "\nexpect hovered not none");
    EXPECT_EQ(item_y(), before) << target;
    rest(0.6);
    bool said = false;
    for (const std::string& text : texts()) {
      said |= text == views::tooltip_text(app().results.summary, app().results.moment, *app().navigation.hovered);
    }
    EXPECT_TRUE(said) << target;
    EXPECT_EQ(item_y(), before) << target;
  }
}

TEST_F(Menus, ASumThatIsOneFmaWithAProductIsNamed) {
  std::ofstream(folder() + "/k.cu") << R"(/*
A sum.

[lanescope]
block = 32

[buffers]
x = "f32 i:32 = random"
*/
__global__ void k(float *x) {
  float p, y, a = x[threadIdx.x];
  asm("mul.f32 %0, %1, %1;" : "=f"(p) : "f"(a));
  asm("add.f32 %0, %1, %2;" : "=f"(y) : "f"(p), "f"(a));
  x[threadIdx.x] = y;
}
)";
  open(options_for(folder() + "/k.cu"));
  script("key Home");
  const auto named = [&] {
    return std::ranges::any_of(texts(),
                               [](const std::string& t) { return t.starts_with("ptxas makes one fma of this"); });
  };
  std::vector<std::string> where;
  for (std::size_t step = 0; step < app().results.summary.code.size(); ++step) {
    script("key Right\nwait");
    if (named()) where.push_back(instruction_on_show(app()).text);
  }
  ASSERT_FALSE(where.empty());
  for (const std::string& instruction : where) EXPECT_TRUE(instruction.starts_with("add.f32")) << instruction;
}

TEST_F(Menus, TheRightButtonOpensCommandsOfThePanel) {
  open_kernel("half2_transposes.cu");
  right_click("scene registers " + cell(0, 0, 3, 1));
  script(
      "expect menu yes\nexpect active registers\nexpect selection.place not none\nclick item \"Next label mode\"\n"
      "expect label value\nexpect menu no");
  right_click("item \"Source text\"");
  script("expect menu yes\nclick item \"Go to line…\"\nexpect overlay go_to_line\nkey Escape");
  right_click("item \"Title timeline\"");
  script("expect menu yes\nclick item \"Hide the panel\"\nexpect hidden.timeline yes");
}

TEST_F(Menus, EveryContextMenuNamesCommandsThatExist) {
  for (const PanelId id : all_panels) {
    for (const std::string& name : context_commands(id))
      EXPECT_TRUE(name == "|" || find_command(name) != nullptr) << name;
  }
}

TEST_F(Menus, SourceAndPtxStandSideBySide) {
  open_kernel("half2_transposes.cu");
  script("key Ctrl+\\\nexpect front.source yes\nexpect front.ptx yes");
  ASSERT_TRUE(frames->stage().scenes.contains("ptx"));
  const auto source = find_item("Source text");
  ASSERT_TRUE(source);
  const Rectangle ptx = frames->stage().scenes.at("ptx").area;
  EXPECT_GT(ptx.x, source->x + source->w);
  EXPECT_NEAR(ptx.w, source->w, 60);
  script("drag item \"splitter 7\" 60 0\nexpect front.ptx yes");
  EXPECT_LT(frames->stage().scenes.at("ptx").area.w, ptx.w - 30);
  script("key Ctrl+\\\nexpect front.ptx no\nexpect front.source yes");
}

TEST_F(Menus, FindGoesRoundAndCounts) {
  open_kernel("half2_transposes.cu");
  const std::string n = std::to_string(document::find_all(app().document.text(), "tmp", false).size());
  ASSERT_GT(std::stoi(n), 4);
  script("key Ctrl+F\ntype tmp\nexpect search.matches " + n + "\nexpect caret.selected tmp");
  const std::string first = fact("caret");
  script("key Enter\nexpect caret not " + first + "\nkey Enter " + std::to_string(std::stoi(n) - 1) +
         "\nexpect caret " + first + "\nexpect text  of " + n);
  script("key Shift+F7\nexpect caret not " + first + "\nkey F7\nexpect caret " + first);
  script("key Escape\nexpect search no\nexpect typing yes\nexpect caret.selected tmp\nexpect edited no");
  script(
      "key Ctrl+F\nkey Ctrl+A\ntype nowhere\nexpect search.matches 0\nexpect text none\nkey Enter\nexpect remark "
      "'nowhere' is not in the source.\nexpect edited no");
}

TEST_F(Menus, ReplacingIsOneStepOfUndo) {
  open_kernel("half2_transposes.cu");
  const std::string n = std::to_string(document::find_all(app().document.text(), "tmp", false).size());
  const std::string before = app().document.text();
  script(
      "key Ctrl+H\ntype tmp\nclick item \"replacement field\"\ntype other\nclick item \"All\"\nexpect search.matches "
      "0\nexpect remark " +
      n + " places replaced.\nexpect undo replacement of " + n + " places");
  EXPECT_EQ(app().document.text().find("tmp"), std::string::npos);
  script("command edit.undo");
  EXPECT_EQ(app().document.text(), before);
  script("click item \"find field\"\nkey Ctrl+A\ntype laneId\nclick item Replace\nexpect undo replacement at line " +
         std::to_string(LineIndex(before).line_of(before.find("laneId")) + 1));
}

TEST_F(Menus, LinesAreReachedByNumber) {
  open_kernel("half2_transposes.cu");
  script(
      "key Ctrl+G\nexpect overlay go_to_line\ntype 39:9\nkey Enter\nexpect overlay none\nexpect caret 39:9\nexpect "
      "typing yes\nexpect selection.line 39");
  script(
      "key Escape\nkey Ctrl+G\ntype 9999\nkey Enter\nexpect overlay go_to_line\nexpect text There is no line '9999'\n"
      "key Escape\nexpect caret 39:9");
}

TEST_F(Menus, CommentsAndBracketsByKey) {
  open_kernel("half2_transposes.cu");
  script("key Ctrl+G\ntype 39:1\nkey Enter\nkey Ctrl+/\nexpect undo comment at line 39\nkey Ctrl+/\nexpect edited no");
  const std::string text = app().document.text();
  const LineIndex index(text);
  const std::size_t open = text.find("(x0, x2)");
  const int line = index.line_of(open) + 1, column = static_cast<int>(open - index.start(line - 1)) + 1;
  script("key Ctrl+G\ntype " + std::to_string(line) + ":" + std::to_string(column) +
         "\nkey Enter\nkey Ctrl+B\nexpect caret " + std::to_string(line) + ":" + std::to_string(column + 7) +
         "\nkey Ctrl+B\nexpect caret " + std::to_string(line) + ":" + std::to_string(column));
}

}  // namespace
}  // namespace lanescope::gui
