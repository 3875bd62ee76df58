// The register assignment notes as they were written: their example text above its code, unchanged, misspellings,
// remarks and continued examples included. It parses, every claim holds and none stays unchecked.

#include <gtest/gtest.h>

#include "tests/catalogue/support.h"

namespace lanescope::catalogue {
namespace {

engine::Session run_notes(const std::string& name) {
  const auto path = std::filesystem::path(LANESCOPE_TEST_DATA_DIR) / "catalogue" / name;
  return run({.file = path.string(), .text = read_text(path), .launch_file = {}, .launch_text = {}});
}

void expect_all_hold(const engine::Session& session, std::size_t claims) {
  const results::Summary& s = session.summary();
  ASSERT_TRUE(s.ok) << words(s.diagnostics);
  EXPECT_TRUE(s.diagnostics.empty()) << words(s.diagnostics);
  EXPECT_EQ(s.claims.size(), claims);
  for (const results::ClaimInfo& c : s.claims)
    EXPECT_EQ(c.result.verdict, claims::Verdict::holds)
        << c.claim.first_line << " " << c.claim.variable << ": " << c.result.reason.words() << c.result.difference;
}

TEST(Notes, HalfPrecisionExample) {
  LANESCOPE_NEEDS_NVRTC();
  const engine::Session session = run_notes("notes_half2.cu");
  expect_all_hold(session, 6);
  const results::Summary& s = session.summary();
  std::vector<std::string> variables;
  for (const results::ClaimInfo& c : s.claims) variables.push_back(c.claim.variable);
  EXPECT_EQ(variables, (std::vector<std::string>{"x", "x", "x", "y", "y", "y"}));
  // The file has no launch header: what the comments say is how it is launched.
  EXPECT_EQ(s.block, (trace::Dim3{32, 16, 1}));
  ASSERT_FALSE(s.buffers.empty());
  EXPECT_EQ(s.buffers.front().elements, 4096u);
  EXPECT_EQ(s.buffers.front().axes.size(), 3u);
  // It is the kernel of the catalogue.
  ASSERT_EQ(session.outputs().size(), 2u);
  EXPECT_EQ(session.outputs()[1].bytes, output(catalogue_run("half2_transposes"), "q")->bytes);
}

TEST(Notes, ByteExample) {
  LANESCOPE_NEEDS_NVRTC();
  const engine::Session session = run_notes("notes_bytes.cu");
  expect_all_hold(session, 2);
  // Rows that are absent claim nothing, and nothing is reported for them.
  EXPECT_EQ(layout::print_line(*session.summary().claims[1].result.actual), "simd: i1 i2; register: i0");
  EXPECT_EQ(session.outputs()[1].bytes, output(catalogue_run("byte_transpose_s0"), "q")->bytes);
}

}  // namespace
}  // namespace lanescope::catalogue
