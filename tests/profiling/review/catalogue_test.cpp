// Every catalogue kernel has exactly the findings that its own `lanescope: expect` comments name, and where it has no
// such comment, none.

#include <algorithm>
#include <filesystem>
#include <set>

#include "kernels/compile/compile.h"
#include "world.h"

namespace lanescope::review {
namespace {

std::vector<std::string> kernels() {
  std::vector<std::string> out;
  for (const auto& f : std::filesystem::directory_iterator(LANESCOPE_SOURCE_DIR "/assets/kernels"))
    if (f.path().extension() == ".cu") out.push_back(f.path().stem().string());
  std::ranges::sort(out);
  return out;
}

class CatalogueReview : public ::testing::TestWithParam<std::string> {};

TEST_P(CatalogueReview, FindsWhatTheFileExpectsAndNothingElse) {
  if (!compile::toolchain().nvrtc) GTEST_SKIP() << "no NVRTC here: " << compile::toolchain().problem;
  const std::string path = LANESCOPE_SOURCE_DIR "/assets/kernels/" + GetParam() + ".cu";
  const Reviewed r = reviewed(file_text(path), path);
  EXPECT_EQ(r.problem, "");
  const std::set<std::string> expected(r.expected.begin(), r.expected.end());
  std::set<std::string> found;
  for (const Finding& f : r.findings) {
    found.insert(f.rule);
    EXPECT_TRUE(f.expected) << words(r);
  }
  EXPECT_EQ(found, expected) << words(r);
}

INSTANTIATE_TEST_SUITE_P(Kernels, CatalogueReview, ::testing::ValuesIn(kernels()),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace lanescope::review
