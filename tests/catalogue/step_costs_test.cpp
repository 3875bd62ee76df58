// One price for one access: what the views show of each step of a block adds up to what the counters say of the launch.

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "tests/catalogue/support.h"

namespace lanescope::catalogue {
namespace {

struct Sums {
  std::uint64_t wavefronts = 0, shared_accesses = 0, atomic = 0, matrix = 0;
};

/// Of all steps of the recorded block, as timeline and panels have them.
Sums sums_of(const engine::Session& session, const results::Summary& summary) {
  Sums sums, shown;
  for (const results::StepAccess& a : summary.accesses) {
    if (a.space != trace::MemorySpace::shared) continue;
    sums.wavefronts += a.cost;
    ++sums.shared_accesses;
    const results::Moment moment = session.moment({.step = static_cast<std::int64_t>(a.step), .families = {}});
    if (!moment.access || moment.access->space != trace::MemorySpace::shared) {
      ADD_FAILURE() << "step " << a.step << " has no access to shared memory";
      continue;
    }
    shown.wavefronts += moment.access->wavefronts;
    EXPECT_EQ(moment.access->wavefronts, a.cost) << "step " << a.step;
    EXPECT_EQ(moment.access->ideal_wavefronts, a.least) << "step " << a.step;
    sums.matrix += moment.access->matrices > 0 ? 1 : 0;
    sums.atomic += a.kind == trace::AccessKind::atomic || a.kind == trace::AccessKind::reduction ? 1 : 0;
  }
  EXPECT_EQ(shown.wavefronts, sums.wavefronts);
  return sums;
}

bool has_one_block(const engine::Session& session) {
  const auto& launches = session.source()->header.launches;
  return launches.size() == 1 && launches[0].grid == std::array<std::uint32_t, 3>{1, 1, 1};
}

/// The sums are those of the counters, where both variants of the kernel have as many accesses.
bool compared(const engine::Session& session, const Sums& sums) {
  const counters::Counts& total = session.counters().total;
  if (total.shared().requests - total.matrix_product.requests != sums.shared_accesses) return false;
  EXPECT_EQ(sums.wavefronts, total.shared().wavefronts - total.matrix_product.wavefronts);
  return true;
}

TEST(StepCosts, AddUpToTheCounters) {
  int kernels = 0, with_matrices = 0;
  for (const std::string& name : kernel_names()) {
    const engine::Session& session = catalogue_run(name);
    if (!session.summary().ok) continue;
    SCOPED_TRACE(name);
    const Sums sums = sums_of(session, session.summary());
    if (sums.shared_accesses == 0 || !has_one_block(session) || !compared(session, sums)) continue;
    ++kernels, with_matrices += sums.matrix > 0 ? 1 : 0;
  }
  EXPECT_GT(kernels, 10);
  EXPECT_GT(with_matrices, 0);
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
    const Sums sums = sums_of(session, session.summary());
    EXPECT_GE(sums.atomic, 1u);
    EXPECT_TRUE(compared(session, sums));
    if (std::string_view(operation).starts_with("atomicExch")) {
      // Four lanes have each of the eight words of `wide`, and the eight are in banks of their own.
      const bool wide = std::string_view(operation).find("wide") != std::string_view::npos;
      EXPECT_EQ(session.counters().total.shared_atomic.wavefronts, wide ? 4u : 32u);
    }
  }
}

}  // namespace
}  // namespace lanescope::catalogue
