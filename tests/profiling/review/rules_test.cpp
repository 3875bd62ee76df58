// Each rule against kernels that trip it and near misses that must not: tests/data/review/RULE/{trip,miss}_N.cu, and for
// `spills` kernels that are made (spill_kernels.h). A line that ends in `// finds` is where the finding has to stand;
// `// near` only marks it for readers.

#include <algorithm>
#include <filesystem>
#include <regex>

#include "kernels/compile/compile.h"
#include "spill_kernels.h"
#include "world.h"

namespace lanescope::review {
namespace {

namespace fs = std::filesystem;
const fs::path data = LANESCOPE_TEST_DATA_DIR "/review";

std::vector<std::string> files() {
  std::vector<std::string> out;
  for (const auto& f : fs::recursive_directory_iterator(data))
    if (f.path().extension() == ".cu") out.push_back(fs::relative(f.path(), data).string());
  for (const SpillKernel& k : spill_kernels()) out.push_back("spills/" + k.name + ".cu");
  std::ranges::sort(out);
  return out;
}

std::string text_of(const fs::path& file) {
  for (const SpillKernel& k : spill_kernels())
    if (file == "spills/" + k.name + ".cu") return text_of(k);
  return file_text((data / file).string());
}

/// Line of the `// finds` mark; 0 where there is none.
int marked_line(const std::string& text, const char* mark) {
  const std::size_t at = text.find(mark);
  return at == std::string::npos
             ? 0
             : static_cast<int>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n')) + 1;
}

// Sentences for people: no word twice, singular after 1, and no punctuation mark after another.
void expect_plain_english(const std::vector<Finding>& findings) {
  static const std::regex plural(
      "(^|[^0-9.,])1 "
      "(accesses|elements|lines|sectors|wavefronts|times?|blocks|threads|instructions|bytes|loads|bits)\\b");
  static const std::regex verb("(\\b1 of [0-9]+ [a-z]+ (are|have|do)\\b)|( 1 [a-z]+ are\\b)");
  for (const Finding& f : findings) {
    const std::string said = to_string(f, "k.cu");
    EXPECT_EQ(said.find("?;"), std::string::npos) << said;
    EXPECT_EQ(said.find(";;"), std::string::npos) << said;
    EXPECT_EQ(said.find("race"), std::string::npos) << "the title says it: " << said;
    EXPECT_FALSE(std::regex_search(f.message, plural)) << said;
    EXPECT_FALSE(std::regex_search(f.message, verb)) << said;
    EXPECT_EQ(f.message.find(" so in "), std::string::npos) << said;
    for (const Evidence::Side& side : f.evidence.sides)
      if (f.rule == "write-overlap" || f.rule == "barrier-missing") {
        EXPECT_GT(side.line, 0) << said;
      }
  }
}

class Rules : public ::testing::TestWithParam<std::string> {};

TEST_P(Rules, TripsOrMissesAndSaysItInPlainEnglish) {
  if (!compile::toolchain().nvrtc) GTEST_SKIP() << "no NVRTC here: " << compile::toolchain().problem;
  const fs::path path = GetParam();
  const std::string rule = path.parent_path().string(), text = text_of(path);
  ASSERT_NE(find_rule(rule), nullptr) << rule;
  const Reviewed r = reviewed(text);
  expect_plain_english(r.findings);
  const std::vector<Finding> found = of_rule(r, rule);
  for (const Finding& f : r.findings)
    EXPECT_TRUE(f.evidence.width_bytes == 0 || !f.evidence.buffer.empty()) << words(r);
  if (path.filename().string().starts_with("miss")) {
    EXPECT_EQ(r.problem, "");
    EXPECT_TRUE(found.empty()) << words(r);
    return;
  }
  if (rule != "claim-typo") {
    EXPECT_EQ(r.problem, "");
  }
  ASSERT_FALSE(found.empty()) << words(r);
  EXPECT_FALSE(found.front().message.empty());
  EXPECT_FALSE(found.front().remedy.empty());
  if (const int line = marked_line(text, "// finds"); line > 0) {
    EXPECT_EQ(found.front().line, line) << words(r);
  }
  if (const int call = marked_line(text, "// calls"); call > 0) {
    EXPECT_EQ(std::ranges::count(found.front().called_at, call), 1) << words(r);
  }
}

INSTANTIATE_TEST_SUITE_P(Kernels, Rules, ::testing::ValuesIn(files()), [](const auto& info) {
  std::string name = info.param.substr(0, info.param.find('.'));
  std::ranges::replace_if(
      name, [](char c) { return c == '/' || c == '-'; }, '_');
  return name;
});

TEST(RuleTable, EveryRuleHasFiveKernelsOfEachKind) {
  for (const Rule& rule : rules()) {
    int trips = 0, misses = 0;
    for (const std::string& f : files()) {
      if (!f.starts_with(std::string(rule.id) + "/")) continue;
      ++(f.find("/trip") != std::string::npos ? trips : misses);
    }
    EXPECT_GE(trips, 5) << rule.id;
    EXPECT_GE(misses, 5) << rule.id;
    EXPECT_FALSE(rule.what.empty() || rule.why.empty() || rule.remedy.empty()) << rule.id;
  }
}

}  // namespace
}  // namespace lanescope::review
