// The file of File > New: its header is read, its claim holds, the review finds nothing, and its numbers count.

#include <gtest/gtest.h>

#include "app/engine/session/session.h"
#include "app/gui/state/app.h"
#include "kernels/compile/compile.h"

namespace lanescope::gui {
namespace {

engine::Session run_new(const std::string& from = {}, const std::string& to = {}) {
  engine::RunRequest request;
  request.file = "untitled.cu";
  request.text = new_kernel_text();
  request.review = true;
  if (!from.empty()) {
    const std::size_t at = request.text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    if (at != std::string::npos) request.text.replace(at, from.size(), to);
  }
  engine::Session session;
  session.run(request);
  return session;
}

class NewKernel : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!compile::toolchain().nvrtc) GTEST_SKIP() << "NVRTC is not installed";
  }
};

TEST_F(NewKernel, IsReadGreenAndWithoutFindings) {
  const auto source = source::read("untitled.cu", new_kernel_text());
  ASSERT_TRUE(source.has_value());
  EXPECT_TRUE(source->header.present);
  EXPECT_TRUE(source->notes.empty());
  EXPECT_FALSE(source->header.title.empty());

  const engine::Session session = run_new();
  const results::Summary& s = session.summary();
  ASSERT_TRUE(s.ok);
  for (const Diagnostic& d : s.diagnostics) ADD_FAILURE() << to_string(d);
  ASSERT_EQ(s.claims.size(), 1u);
  EXPECT_EQ(s.claims[0].result.verdict, claims::Verdict::holds) << s.claims[0].result.difference;
  for (const results::FindingInfo& f : s.findings) ADD_FAILURE() << f.line << ": " << f.rule << ": " << f.message;
  EXPECT_EQ(s.block, (trace::Dim3{128, 1, 1}));
  EXPECT_EQ(s.grid, (trace::Dim3{4, 1, 1}));
}

TEST_F(NewKernel, ItsNumbersAreThoseOfTheLaunch) {
  const engine::Session smaller = run_new("block = 128", "block = 64");
  EXPECT_EQ(smaller.summary().block, (trace::Dim3{64, 1, 1}));
  ASSERT_EQ(smaller.summary().claims.size(), 1u);
  EXPECT_EQ(smaller.summary().claims[0].result.verdict, claims::Verdict::differs) << "blocks of two warps";
  EXPECT_EQ(run_new("grid = 4", "grid = 2").summary().grid, (trace::Dim3{2, 1, 1}));
  const engine::Session shorter = run_new("p = \"f32 i:512\"", "p = \"f32 i:256\"");
  EXPECT_FALSE(shorter.summary().diagnostics.empty()) << "half of the threads load beyond the end";
}

}  // namespace
}  // namespace lanescope::gui
