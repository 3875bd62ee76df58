// Every catalogue kernel has exactly the findings that are known of it: those that its own `lanescope: expect` comments
// name, and where it has none, those listed here.

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "kernels/compile/compile.h"
#include "world.h"

namespace lanescope::review {
namespace {

const std::map<std::string, std::set<std::string>>& known() {
  static const std::map<std::string, std::set<std::string>> table = {
      {"bit_transpose", {"narrow-load"}},    {"complex_reim", {"narrow-load"}},
      {"half2_transposes", {"narrow-load"}}, {"nibble_transpose", {"narrow-load"}},
      {"no_comments", {"narrow-load"}},      {"shared_transpose_naive", {"bank-conflict"}},
  };
  return table;
}

std::vector<std::string> kernels() {
  std::vector<std::string> out;
  for (const auto& f : std::filesystem::directory_iterator(LANESCOPE_SOURCE_DIR "/assets/kernels"))
    if (f.path().extension() == ".cu") out.push_back(f.path().stem().string());
  std::ranges::sort(out);
  return out;
}

class CatalogueReview : public ::testing::TestWithParam<std::string> {};

TEST_P(CatalogueReview, FindsWhatIsKnownAndNothingElse) {
  if (!compile::toolchain().nvrtc) GTEST_SKIP() << "no NVRTC here: " << compile::toolchain().problem;
  const std::string path = LANESCOPE_SOURCE_DIR "/assets/kernels/" + GetParam() + ".cu";
  const Reviewed r = reviewed(file_text(path), path);
  EXPECT_EQ(r.problem, "");
  std::set<std::string> found, expected(r.expected.begin(), r.expected.end());
  for (const Finding& f : r.findings) found.insert(f.rule);
  if (expected.empty() && known().contains(GetParam())) expected = known().at(GetParam());
  EXPECT_EQ(found, expected) << words(r);
}

INSTANTIATE_TEST_SUITE_P(Kernels, CatalogueReview, ::testing::ValuesIn(kernels()),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace lanescope::review
