// The command table: keys, search, and the document made from it.

#include <gtest/gtest.h>
#include <imgui.h>

#include <set>

#include "app/gui/commands/command.h"
#include "app/gui/model/document.h"
#include "app/gui/shell/explorer_options.h"

namespace lanescope::gui {
namespace {

TEST(Chords, PrintAndParseAreInverse) {
  for (const char* text :
       {"Right", "Ctrl+P", "Ctrl+Shift+S", "Ctrl+Alt+Shift+F11", "Space", "0", "+", "Ctrl++", "Ctrl+-", ".", "M"}) {
    const auto chord = parse_chord(text);
    ASSERT_TRUE(chord) << text;
    EXPECT_EQ(to_string(*chord), text);
  }
  EXPECT_FALSE(parse_chord("Ctrl+"));
  EXPECT_FALSE(parse_chord("F13"));
  EXPECT_FALSE(parse_chord("Hyper+X"));
}

TEST(Commands, IdsAndKeysAreUsedOnce) {
  std::set<std::string> ids, keys;
  for (const Command& c : commands()) {
    EXPECT_TRUE(ids.insert(c.id).second) << c.id;
    EXPECT_FALSE(c.title.empty());
    EXPECT_EQ(c.description.back(), '.') << c.id;
    for (const Chord chord : c.keys)
      EXPECT_TRUE(keys.insert(to_string(chord)).second) << to_string(chord) << " of " << c.id;
  }
}

TEST(Commands, TypingKeepsPlainKeysToItself) {
  EXPECT_FALSE(acts_while_typing(*parse_chord("Right")));
  EXPECT_FALSE(acts_while_typing(*parse_chord("Shift+M")));
  EXPECT_TRUE(acts_while_typing(*parse_chord("Alt+Right")));
  EXPECT_TRUE(acts_while_typing(*parse_chord("F11")));
}

TEST(Commands, SearchPrefersWordBeginnings) {
  EXPECT_FALSE(fuzzy_score("xyz", "Next step"));
  ASSERT_TRUE(fuzzy_score("ns", "Next step"));
  EXPECT_GT(*fuzzy_score("ns", "Next step"), *fuzzy_score("ns", "Panel: Registers"));
}

TEST(Commands, KeysDocumentIsUpToDate) {
  const auto written = read_text(std::string(LANESCOPE_SOURCE_DIR) + "/docs/keys.md");
  ASSERT_TRUE(written) << "docs/keys.md is missing; write it with: lanescope --list-commands > docs/keys.md";
  EXPECT_EQ(*written, keys_document()) << "write it again with: lanescope --list-commands > docs/keys.md";
}

TEST(Arguments, AreReadAndRefusedByName) {
  const std::vector<std::string> good{"a.cu", "--scale=1.5", "--size", "1280x720", "--offscreen", "--theme", "light"};
  const auto options = parse_explorer_arguments(good);
  ASSERT_TRUE(options);
  EXPECT_EQ(options->file, "a.cu");
  EXPECT_EQ(options->width, 1280);
  EXPECT_FLOAT_EQ(options->scale, 1.5f);
  EXPECT_TRUE(options->offscreen);
  for (const std::vector<std::string>& bad :
       {std::vector<std::string>{"--scale", "9"}, {"--nonsense"}, {"--size", "big"}, {"--script"}, {"a.cu", "b.cu"}}) {
    EXPECT_FALSE(parse_explorer_arguments(bad));
  }
}

}  // namespace
}  // namespace lanescope::gui
