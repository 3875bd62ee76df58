#include "app/lessons/moments_file.h"

#include <gtest/gtest.h>

#include <algorithm>

#include <random>

namespace lanescope::lessons {
namespace {

SavedMoment random_moment(std::mt19937& random, const std::string& name) {
  const auto up_to = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  // Quotes, line breaks, TOML's own signs and letters of several bytes.
  const std::string texts[] = {"",           "plain", "with \"quotes\" and \\", "two\nlines", "# no comment",
                               "λ → µ, [x]", "a = 1"};
  const auto text = [&] { return texts[up_to(7)]; };
  SavedMoment m;
  m.name = name;
  m.line = 1 + up_to(300);
  m.text = up_to(2) == 0 ? "y1 = (laneId & 0x4) ? y1 : tmp;" : "";
  m.nth = up_to(4) - 1;
  m.visit = up_to(3);
  m.instruction = up_to(3) - 1;
  m.launch = up_to(3) - 1;
  m.block = static_cast<std::uint32_t>(up_to(5));
  m.warp = up_to(4);
  m.share = static_cast<float>(up_to(1001)) / 1000.0F;
  m.picture = up_to(2) == 0 ? "registers" : "";
  m.arrangement = up_to(2) == 0 ? "Learn" : "";
  m.colour = text(), m.label = up_to(2) == 0 ? "value" : "";
  m.select = up_to(2) == 0 ? "y1 lane 5; q[17]" : "";
  if (up_to(2) == 0) m.panels = {"registers", "shared"};
  if (up_to(2) == 0) m.pins = {"p[3]", "p[64..67]"};
  m.zoom = 0.5F + static_cast<float>(up_to(400)) / 37.0F;
  m.caption = text(), m.notes = text();
  return m;
}

TEST(MomentsFile, ReadsWhatItWrites) {
  std::mt19937 random(16);
  for (int round = 0; round < 200; ++round) {
    std::vector<SavedMoment> moments;
    for (unsigned n = random() % 5; moments.size() < n;)
      moments.push_back(random_moment(random, "m" + std::to_string(moments.size())));
    const auto read = read_moments(with_moments("", moments), "x.moments.toml", "");
    ASSERT_TRUE(read) << to_string(read.error().front());
    EXPECT_EQ(*read, moments);
  }
}

/// Moments of a hand-written file are changed, removed, added and reordered: reading gives the intended ones.
TEST(MomentsFile, EditsOfAFileAreReadAgain) {
  std::mt19937 random(61);
  for (int round = 0; round < 200; ++round) {
    std::vector<SavedMoment> moments;
    for (int n = 0; n < 4; ++n) moments.push_back(random_moment(random, "m" + std::to_string(n)));
    std::string text = "# Lecture 3\n\n";
    for (const SavedMoment& m : moments) text += "# before " + m.name + "\n" + with_moments("", {m}) + "\n";
    for (int edit = 0; edit < 3; ++edit) {
      const auto at = static_cast<std::size_t>(random() % moments.size());
      if (random() % 3 == 0 && moments.size() > 1)
        moments.erase(moments.begin() + static_cast<std::ptrdiff_t>(at));
      else if (random() % 2 == 0)
        moments[at] = random_moment(random, moments[at].name);
      else
        std::swap(moments[at], moments[random() % moments.size()]);
      text = with_moments(text, moments);
      const auto read = read_moments(text, "x.moments.toml", "");
      ASSERT_TRUE(read) << text;
      ASSERT_EQ(*read, moments) << text;
      EXPECT_TRUE(text.starts_with("# Lecture 3\n")) << text;
      for (const SavedMoment& m : moments) EXPECT_NE(text.find("# before " + m.name), std::string::npos) << text;
    }
  }
}

TEST(MomentsFile, KeepsCommentsBesideValues) {
  const std::string before =
      "# of the lecture\n\n[[moment]]\nname = 'a'  # short\nline = 0x3a # hexadecimal\nvisit = 0\ncaption = "
      "\"\"\"old\"\"\" # say it slowly\n";
  auto moments = read_moments(before, "x", "");
  ASSERT_TRUE(moments) << to_string(moments.error().front());
  EXPECT_EQ(with_moments(before, *moments), before);
  (*moments)[0].caption = "new";
  const std::string after = with_moments(before, *moments);
  EXPECT_EQ(after,
            "# of the lecture\n\n[[moment]]\nname = 'a'  # short\nline = 0x3a # hexadecimal\nvisit = 0\ncaption = "
            "\"new\" # say it slowly\n");
}

TEST(MomentsFile, SaysWhatIsWrongAndWhere) {
  const struct {
    const char* text;
    int line, column;
    const char* words;
  } cases[] = {
      {"[[moment]]\nname = \"a\"\nline = 5\nvisits = 1\n", 4, 1, "no key `visits`"},
      {"[[moment]]\nname = \"a\"\nline = \"5\"\n", 3, 8, "whole number"},
      {"[[moment]]\nname = \"a\"\nline = 0\n", 3, 8, "whole number"},
      {"[[moment]]\nname = \"a b\"\nline = 5\n", 2, 8, "is no name"},
      {"[[moment]]\nname = \"a\"\nline = 5\n[[moment]]\nname = \"a\"\nline = 6\n", 5, 8, "another moment"},
      {"[[moment]]\nline = 5\n", 1, 1, "needs a `name`"},
      {"[[moment]]\nname = \"a\"\n", 1, 1, "needs a `line`"},
      {"[[moment]]\nname = \"a\"\nline = 5\npicture = \"register\"\n", 4, 11, "no picture"},
      {"[[moment]]\nname = \"a\"\nline = 5\npins = [\"p3\"]\n", 4, 8, "no element"},
      {"[[moment]]\nname = \"a\"\nline = 5\nselect = \"y1\"\n", 4, 10, "no place"},
      {"[[moment]]\nname = \"a\"\nline = 5\nshare = 1.5\n", 4, 9, "from 0 to 1"},
      {"[moment]\nname = \"a\"\n", 1, 1, "list of tables"},
      {"[[moments]]\nname = \"a\"\n", 1, 3, "no key `moments`"},
      {"[[moment]]\nname = \n", 2, 0, ""},
  };
  for (const auto& c : cases) {
    const auto read = read_moments(c.text, "x.moments.toml", "");
    ASSERT_FALSE(read) << c.text;
    const Diagnostic& d = read.error().front();
    EXPECT_EQ(d.file, "x.moments.toml");
    EXPECT_EQ(d.line, c.line) << c.text << d.message;
    if (c.column > 0) {
      EXPECT_EQ(d.column, c.column) << c.text << d.message;
    }
    EXPECT_NE(d.message.find(c.words), std::string::npos) << c.text << d.message;
  }
}

TEST(MomentsFile, NamesAreFree) {
  std::vector<SavedMoment> moments(2);
  moments[0].name = "line-58", moments[1].name = "line-58-2";
  EXPECT_EQ(free_name(moments, "line-58"), "line-58-3");
  EXPECT_EQ(free_name(moments, "the λ exchange!"), "the-exchange");
  EXPECT_EQ(free_name(moments, "→"), "moment");
}

/// Names say what is shown where moments are alike; they differ, are names, and one that is there does not change.
TEST(NameOfNew, TellsMomentsOfOneLineApart) {
  SavedMoment m;
  m.line = 13, m.picture = "registers";
  std::vector<SavedMoment> all;
  const auto keep = [&] {
    m.name = name_of_new(all, m);
    all.push_back(m);
    return m.name;
  };
  EXPECT_EQ(keep(), "line-13");
  m.picture = "shared";
  EXPECT_EQ(keep(), "line-13-shared");
  m.visit = 1;
  EXPECT_EQ(keep(), "line-13-shared-visit-2");
  m.picture = "movement", m.visit = 0, m.share = 0.5f;
  EXPECT_EQ(keep(), "line-13-movement");
  m.share = 0.25f;
  EXPECT_EQ(keep(), "line-13-movement-25-percent");
  m.line = 14;
  EXPECT_EQ(keep(), "line-14");
  std::mt19937 random(5);
  for (int n = 0; n < 200; ++n) {
    m.line = 10 + static_cast<int>(random() % 3), m.visit = static_cast<int>(random() % 3);
    m.warp = static_cast<int>(random() % 2), m.share = static_cast<float>(random() % 3) / 2;
    m.picture = random() % 2 == 0 ? "registers" : "ptx", m.select = random() % 2 == 0 ? "" : "y1 lane 5";
    const std::string name = keep();
    EXPECT_TRUE(is_name(name)) << name;
    EXPECT_EQ(std::ranges::count(all, name, &SavedMoment::name), 1) << name;
    EXPECT_TRUE(name.starts_with("line-" + std::to_string(m.line))) << name;
  }
}

}  // namespace
}  // namespace lanescope::lessons
