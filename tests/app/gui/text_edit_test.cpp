// The text model of the source panel.

#include "app/gui/writing/writing.h"

#include <gtest/gtest.h>

#include <random>

#include "app/gui/widgets/syntax.h"

namespace lanescope::gui {
namespace {

TEST(TextEdit, TypesAndDeletesWholeCharacters) {
  TextEdit e;
  e.insert("aé→z");
  e.erase(Motion::left);
  e.erase(Motion::left);
  EXPECT_EQ(e.text, "aé");
  e.move(Motion::left, false);
  EXPECT_EQ(e.caret, 1u);
  e.erase(Motion::right);
  EXPECT_EQ(e.text, "a");
}

TEST(TextEdit, KeepsItsColumnWhenMovingOverShortLines) {
  TextEdit e{.text = "abcdef\nx\nabcdef"};
  e.place(5, false);
  e.move(Motion::down, false);
  EXPECT_EQ(e.caret, 8u);
  e.move(Motion::down, false);
  EXPECT_EQ(e.caret, 9u + 5u);
}

TEST(TextEdit, NewLineKeepsTheIndentation) {
  TextEdit e{.text = "    if (x) {"};
  e.place(e.text.size(), false);
  e.new_line();
  EXPECT_EQ(e.text, "    if (x) {\n        ");
}

TEST(TextEdit, IndentAndCommentAreUndoneByTheirOpposite) {
  const std::string before = "a\n  b\n\nc";
  TextEdit e{.text = before};
  e.select_all();
  e.indent(true);
  EXPECT_EQ(e.text, "    a\n      b\n\n    c");
  e.indent(false);
  EXPECT_EQ(e.text, before);
  e.toggle_comment();
  EXPECT_EQ(e.text, "// a\n  // b\n\n// c");
  e.toggle_comment();
  EXPECT_EQ(e.text, before);
}

TEST(TextEdit, RandomEditsNeverCutACharacterOrLeaveTheText) {
  std::mt19937 random(7);
  TextEdit e{.text = "__half2 x0;\n\t// ä → b\n"};
  for (int i = 0; i < 4000; ++i) {
    switch (random() % 6) {
      case 0:
        e.insert("é");
        break;
      case 1:
        e.erase(random() % 2 ? Motion::left : Motion::right);
        break;
      case 2:
        e.new_line();
        break;
      case 3:
        e.indent(random() % 2);
        break;
      case 4:
        e.toggle_comment();
        break;
      default:
        e.move(static_cast<Motion>(random() % 10), random() % 2, 1 + static_cast<int>(random() % 3));
        break;
    }
    if (e.text.size() > 600) e.text.clear(), e.place(0, false);
    ASSERT_LE(e.caret, e.text.size());
    ASSERT_LE(e.anchor, e.text.size());
    if (e.caret < e.text.size()) {
      ASSERT_NE(static_cast<unsigned char>(e.text[e.caret]) & 0xc0, 0x80);
    }
  }
}

TEST(TextEdit, UndoPutsTheCaretWhereTheTextsDiffer) {
  TextEdit e{.text = "one two three"};
  e.replace_text("one 2 three");
  EXPECT_EQ(e.caret, 5u);
}

TEST(MapLine, LinesAfterAnInsertionMoveDown) {
  EXPECT_EQ(map_line("a\nb\nc", "a\nx\nb\nc", 1), 1);
  EXPECT_EQ(map_line("a\nb\nc", "a\nx\nb\nc", 3), 4);
  EXPECT_EQ(map_line("a\nb\nc", "a\nB\nc", 2), 0) << "a changed line has no counterpart";
}

TEST(Columns, TabsAreFourWide) {
  EXPECT_EQ(display_column("\tab", 2), 5);
  EXPECT_EQ(byte_at_column("\tab", 5), 2u);
  EXPECT_EQ(byte_at_column("\tab", 99), 3u);
}

TEST(Syntax, CommentsRunOverLinesAndRowsHaveTheirOwnInk) {
  bool open = false;
  auto runs = ink_of("int x; /* begins", open);
  EXPECT_TRUE(open);
  EXPECT_EQ(runs.front().ink, Ink::type);
  EXPECT_EQ(runs.back().ink, Ink::comment);
  ink_of("ends */ return", open);
  EXPECT_FALSE(open);
  runs = ink_of("  //   register:  r1 r0 <-> j3 j2", open);
  ASSERT_EQ(runs.size(), 1u);
  EXPECT_EQ(runs[0].ink, Ink::assignment);
  runs = ink_of("// simd code is nice", open);
  EXPECT_EQ(runs[0].ink, Ink::comment);
}

}  // namespace
}  // namespace lanescope::gui
