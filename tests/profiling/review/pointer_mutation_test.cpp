// The catalogue's pointer-offset kernel with one number of its comments changed at a time: each such comment is false, and
// the review says so at the changed line.

#include <algorithm>

#include "kernels/compile/compile.h"
#include "world.h"

namespace lanescope::review {
namespace {

struct Change {
  const char *from, *to;
};

/// The kernel of the catalogue for an eighth of its blocks: 16 indices j in place of 128.
std::string of_16_columns(std::string text) {
  const std::pair<std::string_view, std::string_view> changes[] = {
      {"128", "16"}, {"b11 b10 b9 b8", "b8"}, {"k9 k8 k7 k6 k5 j6 j5 j4 j3", "k9 k8 k7 k6 k5 j3"}};
  for (const auto& [from, to] : changes)
    for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
      text.replace(at, from.size(), to);
  return text;
}

class PointerMutation : public ::testing::TestWithParam<Change> {};

TEST_P(PointerMutation, IsFoundAtItsLine) {
  if (!compile::toolchain().nvrtc) GTEST_SKIP() << "no NVRTC here: " << compile::toolchain().problem;
  std::string text = of_16_columns(file_text(LANESCOPE_SOURCE_DIR "/assets/kernels/pointer_offsets.cu"));
  const std::size_t at = text.find(GetParam().from);
  ASSERT_NE(at, std::string::npos);
  text.replace(at, std::string(GetParam().from).size(), GetParam().to);
  const int line = static_cast<int>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n')) + 1;
  const Reviewed r = reviewed(text);
  const std::vector<Finding> found = of_rule(r, "pointer-offset-differs");
  ASSERT_FALSE(found.empty()) << words(r);
  // The next comment no longer continues this one: either line names the contradiction.
  EXPECT_TRUE(std::ranges::any_of(found, [&](const Finding& f) { return f.line >= line && f.line <= line + 6; }))
      << words(r);
}

INSTANTIATE_TEST_SUITE_P(
    Numbers, PointerMutation,
    ::testing::Values(Change{"before: shape (32,16,1024)", "before: shape (32,16,512)"},
                      Change{"before: shape (32,16,1024)", "before: shape (32,8,1024)"},
                      Change{"before: shape (32,16,1024)", "before: shape (64,16,1024)"},
                      Change{"after: shape (32,32)", "after: shape (32,16)"},
                      Change{"after: shape (32,32)", "after: shape (16,32)"},
                      Change{"after: shape (32,32)", "after: shape (64,32)"},
                      Change{"after: shape (32,32)", "after: shape (32,64)"},
                      Change{"after: shape (32,32), strides (16*1024, 1)", "after: shape (32,32), strides (1024, 1)"},
                      Change{"after: shape (32,), contiguous", "after: shape (16,), contiguous"},
                      Change{"after: shape (32,), contiguous", "after: shape (64,), contiguous"},
                      Change{"after: shape (32,), contiguous", "after: shape (32,), strides (2,)"},
                      Change{"before: shape (32,32), strides (16*1024, 1)", "before: shape (32,32), contiguous"}));

TEST(PointerComments, OfTheSmallerKernelAreRight) {
  if (!compile::toolchain().nvrtc) GTEST_SKIP() << "no NVRTC here: " << compile::toolchain().problem;
  const Reviewed r = reviewed(of_16_columns(file_text(LANESCOPE_SOURCE_DIR "/assets/kernels/pointer_offsets.cu")));
  EXPECT_EQ(words(r), "");
}

TEST(Review, RunsOfTheSameKernelFindTheSame) {
  if (!compile::toolchain().nvrtc) GTEST_SKIP() << "no NVRTC here: " << compile::toolchain().problem;
  const std::string text = file_text(LANESCOPE_TEST_DATA_DIR "/review/barrier-missing/trip_5.cu");
  EXPECT_EQ(words(reviewed(text)), words(reviewed(text)));
}

}  // namespace
}  // namespace lanescope::review
