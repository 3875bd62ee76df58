// Kernels of the catalogue from text to verdict: compiled with probes, run by the emulator, annotated; what was written
// holds, what is changed in it differs, and a stripped file is annotated as before.

#include <gtest/gtest.h>

#include <sstream>

#include "kernels/base/read_file.h"
#include "tests/kernels/claims/probed.h"
#include "tests/kernels/source/strip_claims.h"

namespace lanescope::claims {
namespace {

std::string file(const std::string& name) {
  return read_file(LANESCOPE_SOURCE_DIR "/assets/kernels/" + name).value_or("");
}

class Catalogue : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    if (!compile::toolchain().nvrtc) GTEST_SKIP() << "no NVRTC here: " << compile::toolchain().problem;
  }
};

TEST_P(Catalogue, WhatIsWrittenHoldsAndSurvivesStripping) {
  const std::string text = file(GetParam());
  ASSERT_FALSE(text.empty());
  const auto own = source::read("k.cu", text);
  ASSERT_TRUE(own);
  const auto plain = probe(source::strip_claims(*own));
  ASSERT_TRUE(plain);
  const Annotation first = annotate(plain->source, *plain->collector);
  if (!own->claims.empty()) {
    EXPECT_EQ(first.text, text);
  }
  if (std::getenv("LANESCOPE_SHOW") != nullptr) std::printf("%s\n", first.text.c_str());
  const auto annotated = probe(first.text);
  ASSERT_TRUE(annotated);
  EXPECT_GE(annotated->source.claims.size(), static_cast<std::size_t>(first.claims_written));
  for (const ClaimResult& r : annotated->collector->judge()) {
    EXPECT_EQ(r.verdict, Verdict::holds) << annotated->source.claims[static_cast<std::size_t>(r.claim)].first_line
                                         << ": " << r.difference << r.reason.words() << "\n"
                                         << first.text;
  }
  const auto bare = probe(source::strip_claims(annotated->source));
  ASSERT_TRUE(bare);
  EXPECT_EQ(annotate(bare->source, *bare->collector).text, first.text);
  const Annotation again = annotate(annotated->source, *annotated->collector);
  EXPECT_EQ(again.claims_written, 0);
  EXPECT_EQ(again.text, first.text);
}

TEST_P(Catalogue, EverySwapOfWhatIsWrittenDiffers) {
  const auto plain = probe(file(GetParam()));
  ASSERT_TRUE(plain);
  const auto annotated = probe(annotate(plain->source, *plain->collector).text);
  ASSERT_TRUE(annotated);
  // The words change, the run does not: judge other statements by the same events is not offered, so run again.
  int tried = 0;
  for (std::size_t c = 0; c < annotated->source.claims.size() && tried < 4; ++c) {
    const source::Claim& claim = annotated->source.claims[c];
    const auto& row = claim.stated.row(layout::Place::thread);
    if (!row || row->size() < 2 || (*row)[0] == (*row)[1]) continue;
    layout::Assignment swapped = claim.stated;
    std::swap((*swapped.row(layout::Place::thread))[0], (*swapped.row(layout::Place::thread))[1]);
    std::string text = annotated->source.text;
    const std::string is = layout::print(claim.stated), wanted = layout::print(swapped);
    std::istringstream lines(is), others(wanted);
    std::string line, other;
    std::size_t at = 0;
    for (int n = 1; n < claim.first_line; ++n) at = text.find('\n', at) + 1;
    while (std::getline(lines, line) && std::getline(others, other)) {
      at = text.find(line, at);
      ASSERT_NE(at, std::string::npos);
      text.replace(at, line.size(), other);
    }
    const auto wrong = probe(text);
    ASSERT_TRUE(wrong);
    const ClaimResult r = wrong->collector->judge().at(c);
    EXPECT_EQ(r.verdict, Verdict::differs) << text;
    EXPECT_EQ(r.difference, "t1 and t0 are swapped");
    EXPECT_GT(r.first_false_line, 0);
    ++tried;
  }
}

INSTANTIATE_TEST_SUITE_P(Kernels, Catalogue,
                         ::testing::Values("half2_transposes.cu", "byte_transpose_s0.cu", "byte_transpose_s1.cu",
                                           "bit_transpose.cu", "nibble_transpose.cu", "complex_reim.cu",
                                           "copy_float.cu", "copy_float2.cu", "copy_float4.cu", "no_comments.cu",
                                           "shared_transpose_naive.cu", "shared_transpose_padded.cu",
                                           "shared_transpose_swizzled.cu", "warp_sum.cu", "pointer_offsets.cu"),
                         [](const auto& info) {
                           std::string name = info.param;
                           return name.substr(0, name.find('.'));
                         });

}  // namespace
}  // namespace lanescope::claims
