// Tables of phrases: how the words of a comment are cut, and what a rule takes of them.

#include "kernels/source/notation/phrases.h"

#include <gtest/gtest.h>

#include <random>

namespace lanescope::source {
namespace {

std::string cut(std::string_view text) {
  std::string out;
  for (const Word& w : words_of(text)) out += (out.empty() ? "" : " ") + w.low;
  return out;
}

TEST(Phrases, WordsAreCutByKindAndKeepTheirPlaces) {
  EXPECT_EQ(cut("Each 8x8 tile, TMxTN"), "each 8 x 8 tile , tmxtn");
  EXPECT_EQ(cut("threadIdx.x a::b end."), "threadidx.x a::b end .");
  EXPECT_EQ(cut("16\u00d716 m8n8"), "16 x 16 m8n8");
  EXPECT_EQ(cut("每个block负责BM*BN的块"), "每 个 block 负 责 bm * bn 的 块");
  // Every byte that is no blank is in one word, at its own place.
  std::mt19937 random(3);
  for (int trial = 0; trial < 2000; ++trial) {
    std::string text;
    for (unsigned n = random() % 20; n > 0; --n) text += "ax4.:( \xc3\x97\xe6\xaf\x8f,"[random() % 14];
    std::string left(text.size(), ' ');
    for (const Word& w : words_of(text)) {
      EXPECT_EQ(text.substr(w.at, w.text.size()), w.text);
      left.replace(w.at, w.text.size(), w.text);
    }
    EXPECT_EQ(left, text);
  }
}

TEST(Phrases, RulesTakeAsMuchAsFits) {
  const Phrases table(R"(
share   each <owner> (computes|loads)+ COUNT:<INT> (NOUN:(rows|columns)|elements)? $
owner   cuda* (BLOCK:(thread block|block)|THREAD:thread)
exact   M (dim|size)
until   (!stop .)* stop
quoted  \( <NAME> (, <NAME>)* \)
cn      每个 OWNER:(线程块|线程) 负责
)");
  const auto fits = [&](std::string_view rule, std::string_view text) { return table.is(rule, words_of(text), 0); };
  const Words words = words_of("Each CUDA thread block loads 4 rows");
  const auto m = table.at("share", words);
  ASSERT_TRUE(m);
  EXPECT_TRUE(m->has("BLOCK"));
  EXPECT_FALSE(m->has("THREAD"));
  EXPECT_EQ(m->text("COUNT", words), "4");
  EXPECT_EQ(m->text("NOUN", words), "rows");
  EXPECT_EQ(m->text("BLOCK", words), "thread block");
  EXPECT_TRUE(fits("share", "each thread computes 8"));
  EXPECT_FALSE(fits("share", "each thread computes 8 rows of x"));
  EXPECT_FALSE(fits("share", "each thread 8"));
  EXPECT_TRUE(fits("exact", "M dim"));
  EXPECT_FALSE(fits("exact", "m dim"));
  EXPECT_TRUE(fits("until", "a b stop"));
  EXPECT_FALSE(fits("until", "a b"));
  EXPECT_TRUE(fits("quoted", "(i, j)"));
  EXPECT_FALSE(fits("quoted", "(i, 4)"));
  EXPECT_TRUE(fits("cn", "每个线程块负责"));
  EXPECT_EQ(table.in("owner", words)->first, 1U);
}

TEST(Phrases, ListsAndNamesAreFoundByTheBordersOfWords) {
  EXPECT_EQ(find_word("xs x_ x", "x"), 6U);
  EXPECT_EQ(find_word("xs", "x"), std::string_view::npos);
  EXPECT_EQ(entry_in("a b|c", "no c, no a b"), "a b");
  EXPECT_EQ(entry_in("row|col", "rows", true), "");
  EXPECT_EQ(entry_in("row|col", "rows"), "row");
}

}  // namespace
}  // namespace lanescope::source
