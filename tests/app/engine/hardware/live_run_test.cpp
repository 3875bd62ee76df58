// A program that stays compiled while numbers move is the program that a compilation would have made.

#include "app/engine/session/session.h"

#include <gtest/gtest.h>

#include "app/engine/prepare/prepare.h"
#include "kernels/gpu/gpu.h"
#include "tests/app/engine/support.h"

namespace lanescope::engine {
namespace {

RunRequest axpy(std::vector<Override> overrides = {}) {
  RunRequest request;
  request.file = std::string(LANESCOPE_SOURCE_DIR) + "/assets/kernels/axpy_grid_stride.cu";
  request.text = test::text_of(request.file);
  request.probed_run = false;
  request.overrides = std::move(overrides);
  return request;
}

Prepared prepared(const RunRequest& request, Prepared earlier = {}) {
  return prepare(
      request, [](std::string_view) {}, nullptr, std::move(earlier));
}

void expect_same(const Prepared& a, const Prepared& b) {
  EXPECT_EQ(a.ready, b.ready);
  EXPECT_EQ(a.plain.ptx, b.plain.ptx);
  EXPECT_EQ(a.made_by, b.made_by);
  ASSERT_EQ(a.plain.launches.size(), b.plain.launches.size());
  for (std::size_t i = 0; i < a.plain.launches.size(); ++i) {
    const trace::Launch &x = a.plain.launches[i], &y = b.plain.launches[i];
    EXPECT_EQ(x.kernel, y.kernel);
    EXPECT_EQ(x.grid, y.grid);
    EXPECT_EQ(x.block, y.block);
    ASSERT_EQ(x.arguments.size(), y.arguments.size());
    for (std::size_t n = 0; n < x.arguments.size(); ++n)
      if (const auto* value = std::get_if<trace::ValueArgument>(&x.arguments[n])) {
        EXPECT_EQ(*value, std::get<trace::ValueArgument>(y.arguments[n]));
      }
  }
}

TEST(LiveRun, NumbersThatMoveNeedNoCompilationAndTextsDo) {
  Prepared first = prepared(axpy());
  ASSERT_TRUE(first.ready) << to_string(first.diagnostics.front());
  ASSERT_FALSE(first.compiled_from.empty());
  first.made_by = "the first compilation";  // a mark that only what is taken over still has
  const Prepared fresh = prepared(axpy({{"n", "100"}, {"block", "64"}}));
  Prepared moved = prepared(axpy({{"n", "100"}, {"block", "64"}}), std::move(first));
  EXPECT_EQ(moved.made_by, "the first compilation");
  moved.made_by = fresh.made_by;
  expect_same(moved, fresh);

  NEEDS_NVRTC();
  moved.made_by = "the first compilation";
  RunRequest edited = axpy();
  edited.text += "// edited\n";
  RunRequest defined = axpy({{"D:SOMETHING", "3"}});
  RunRequest other_arch = axpy();
  other_arch.arch = "sm_80";
  for (const RunRequest& request : {edited, defined, other_arch})
    EXPECT_NE(prepared(request, moved).made_by, "the first compilation");
}

TEST(LiveRun, ABadNumberIsRefusedAndTheNextOneCounts) {
  Prepared first = prepared(axpy());
  ASSERT_TRUE(first.ready);
  Prepared wrong = prepared(axpy({{"no_such_number", "1"}}), std::move(first));
  EXPECT_FALSE(wrong.ready);
  EXPECT_TRUE(prepared(axpy({{"n", "7"}}), std::move(wrong)).ready);
}

TEST(LiveRun, WithoutAGpuItSaysSo) {
  if (const auto all = gpu::devices(); all && !all->empty()) GTEST_SKIP() << "there is a GPU";
  LiveRun live;
  for (int i = 0; i < 2; ++i) {
    const results::Measured answer = live.measure(axpy());
    ASSERT_FALSE(answer.refused.empty());
    EXPECT_FALSE(answer.refused.front().message.empty());
    EXPECT_TRUE(answer.metrics.empty());
  }
}

}  // namespace
}  // namespace lanescope::engine
