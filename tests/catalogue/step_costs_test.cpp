// One price for one access: the prices of the steps of a block, as the views have them, add up to the counters of the
// launch, and the pictures have the same figures.

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>

#include "kernels/base/numbers.h"
#include "tests/catalogue/support.h"
#include "tests/sample.h"
#include "tests/viz/scene_queries.h"
#include "viz/views/base/theme.h"
#include "viz/views/memory/banks.h"
#include "viz/views/memory/global.h"

namespace lanescope::catalogue {
namespace {

/// The picture of an access has the figures of its price.
void expect_drawn(const results::Summary& summary, const results::Moment& moment) {
  const access::Cost& c = moment.access->cost;
  if (moment.access->space == trace::MemorySpace::shared) {
    const scene::Scene scene = views::shared_view(summary, moment, {}, {.width = 1200}, views::dark_theme());
    EXPECT_TRUE(
        views::says(scene, counted(c.wavefronts, "wavefront") + ", ideal " + std::to_string(c.ideal_wavefronts)));
    EXPECT_EQ(views::says(scene, "no bank conflict"), c.wavefronts <= c.ideal_wavefronts);
    return;
  }
  const scene::Scene scene = views::global_view(summary, moment, {}, {.width = 1200}, views::dark_theme());
  EXPECT_TRUE(views::says(
      scene, counted(c.requests, "request") + " · " + counted(c.sectors, "sector") + " · " + counted(c.lines, "line")));
  EXPECT_TRUE(views::says(scene, spaced(c.bytes_wanted) + " of " + spaced(c.bytes_moved) + " bytes used"));
  const scene::Scene traffic = views::traffic_view(summary, moment, {}, {.width = 1200}, views::dark_theme());
  EXPECT_TRUE(views::says(traffic, counted(c.sectors, "sector") + " in " + counted(c.lines, "line") + " · " +
                                       counted(c.bytes_moved, "byte") + " transferred"));
}

/// Sums over the steps of the recorded block, as timeline and panels have them. A step that copies is shown where it
/// writes, so what it reads has its sectors only.
counters::Counts sums_of(const engine::Session& session) {
  const results::Summary& summary = session.summary();
  counters::Counts sums;
  std::set<std::int64_t> drawn;  // instructions
  for (const results::StepAccess& a : summary.accesses) {
    if (a.space == trace::MemorySpace::global && a.kind == trace::AccessKind::async_copy) {
      sums.global_async.requests += 1, sums.global_async.sectors += a.cost;
      continue;
    }
    const results::Moment moment = session.moment({.step = static_cast<std::int64_t>(a.step), .families = {}});
    if (!moment.access || moment.access->space != a.space) {
      ADD_FAILURE() << "step " << a.step << " has no such access";
      continue;
    }
    const access::Cost& cost = moment.access->cost;
    const bool shared = a.space == trace::MemorySpace::shared;
    EXPECT_EQ(a.cost, shared ? cost.wavefronts : cost.sectors) << "step " << a.step;
    EXPECT_EQ(a.least, shared ? cost.ideal_wavefronts : cost.ideal_sectors) << "step " << a.step;
    *sums.of(*moment.access) += cost;
    if (moment.access->buffer >= 0 || shared)
      if (drawn.insert(moment.pc).second) expect_drawn(summary, moment);
  }
  return sums;
}

bool has_one_block(const engine::Session& session) {
  const auto& launches = session.source()->header.launches;
  return launches.size() == 1 && launches[0].grid == std::array<std::uint32_t, 3>{1, 1, 1};
}

/// The sums are those of the counters, if both variants of the kernel have as many accesses. Returns accesses compared.
std::uint64_t compare(const counters::Counts& sums, const counters::Counts& total) {
  std::uint64_t compared = 0;
  const auto same = [&](const char* what, const access::Sum& steps, const access::Sum& counted) {
    SCOPED_TRACE(what);
    if (steps.requests != counted.requests) return;
    compared += counted.requests;
    EXPECT_EQ(steps.sectors, counted.sectors);
    EXPECT_EQ(steps.ideal_sectors, counted.ideal_sectors);
    EXPECT_EQ(steps.lines, counted.lines);
    EXPECT_EQ(steps.bytes_wanted, counted.bytes_wanted);
    EXPECT_EQ(steps.bytes_moved, counted.bytes_moved);
    EXPECT_EQ(steps.bytes_requested, counted.bytes_requested);
    EXPECT_EQ(steps.passes, counted.passes);
    EXPECT_EQ(steps.wavefronts, counted.wavefronts);
    EXPECT_EQ(steps.ideal_wavefronts, counted.ideal_wavefronts);
    EXPECT_EQ(steps.bank_conflicts, counted.bank_conflicts);
  };
  same("global loads", sums.global_load, total.global_load);
  same("global stores", sums.global_store, total.global_store);
  same("global atomics", sums.global_atomic, total.global_atomic);
  same("shared loads", sums.shared_load, total.shared_load);
  same("shared stores", sums.shared_store, total.shared_store);
  same("shared atomics", sums.shared_atomic, total.shared_atomic);
  same("copies", sums.shared_async, total.shared_async);
  same("ldmatrix", sums.matrix_load, total.matrix_load);
  same("stmatrix", sums.matrix_store, total.matrix_store);
  if (sums.global_async.requests == total.global_async.requests) {
    EXPECT_EQ(sums.global_async.sectors, total.global_async.sectors);
  }
  return compared;
}

TEST(StepCosts, AddUpToTheCounters) {
  int kernels = 0, with_matrices = 0, with_copies = 0;
  std::size_t number = 0;
  for (const std::string& name : kernel_names()) {
    const std::string text = kernel_text(name);
    const bool rare = text.find("matrix") != text.npos || text.find("async") != text.npos;
    if (!test::in_sample(number++, 4) && !rare) continue;
    const engine::Session& session = catalogue_run(name);
    if (!session.summary().ok || !has_one_block(session)) continue;
    SCOPED_TRACE(name);
    const counters::Counts sums = sums_of(session);
    if (compare(sums, session.counters().total) == 0) continue;
    ++kernels;
    with_matrices += sums.matrix_load.requests > 0 ? 1 : 0;
    with_copies += sums.global_async.requests > 0 ? 1 : 0;
  }
  EXPECT_GT(kernels, 6);
  EXPECT_GT(with_matrices, 0);
  EXPECT_GT(with_copies, 0);
}

// Lanes that exchange one word take turns; lanes that add to it may be merged by the assembler.
TEST(StepCosts, AtomicsTakeTurnsInEveryView) {
  LANESCOPE_NEEDS_NVRTC();
  for (const char* operation : {"atomicExch(&w, t)", "atomicCAS(&w, t, t + 1)", "atomicAdd(&w, t)",
                                "atomicMax(&more[t % 4], t)", "atomicExch(&wide[t % 8], (unsigned long long)t)"}) {
    SCOPED_TRACE(operation);
    const engine::Session session = run(request_for(
        "atomics", std::string("/*\n[lanescope]\nblock = 32\n[buffers]\nq = \"u32 n:32 = zeros\"\n*/\n"
                               "__global__ void __launch_bounds__(32) k(unsigned* q) {\n"
                               "  __shared__ unsigned w, more[4];\n  __shared__ unsigned long long wide[8];\n"
                               "  unsigned t = threadIdx.x;\n  w = more[t % 4] = 0;\n  wide[t % 8] = 0;\n"
                               "  __syncthreads();\n  q[t] = ") +
                       operation + ";\n}\n"));
    ASSERT_TRUE(session.summary().ok) << words(session.summary().diagnostics);
    const counters::Counts sums = sums_of(session);
    EXPECT_GE(sums.shared_atomic.requests, 1u);
    EXPECT_GT(compare(sums, session.counters().total), 0u);
    if (std::string_view(operation).starts_with("atomicExch")) {
      // Four lanes have each of the eight words of `wide`, and the eight are in banks of their own.
      const bool wide = std::string_view(operation).find("wide") != std::string_view::npos;
      EXPECT_EQ(session.counters().total.shared_atomic.wavefronts, wide ? 4u : 32u);
    }
  }
}

// Lanes copy 16 bytes from one place in global memory each to places in another order: more sectors than the bytes have.
TEST(StepCosts, CopiesPastTheFirstCacheCostTheSectorsOfTheirPlaces) {
  LANESCOPE_NEEDS_NVRTC();
  const engine::Session session =
      run(request_for("copies",
                      "/*\n[lanescope]\nblock = 32\n[buffers]\np = \"f32 n:128 = iota\"\nq = \"f32 n:32 = zeros\"\n*/\n"
                      "#include <cuda_pipeline_primitives.h>\n"
                      "__global__ void __launch_bounds__(32) k(const float4* p, float* q) {\n"
                      "  __shared__ float4 tile[32];\n  int t = threadIdx.x;\n"
                      "  __pipeline_memcpy_async(&tile[t * 5 % 32], &p[t], 16);\n"
                      "  __pipeline_commit();\n  __pipeline_wait_prior(0);\n  __syncthreads();\n"
                      "  q[t] = tile[t].x;\n}\n"));
  ASSERT_TRUE(session.summary().ok) << words(session.summary().diagnostics);
  const counters::Counts sums = sums_of(session);
  EXPECT_EQ(session.counters().total.global_async.sectors, 32u);
  EXPECT_EQ(sums.global_async.sectors, 32u);
}

}  // namespace
}  // namespace lanescope::catalogue
