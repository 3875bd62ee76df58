// Recommendations against measurements: conversions timed by shuffles and through shared memory on an H200.

#include <gtest/gtest.h>

#include <bit>
#include <cstdlib>

#include "kernels/base/read_file.h"
#include "kernels/base/text.h"
#include "kernels/convert/planner.h"

namespace lanescope::convert {
namespace {

/// m of the register bits of R registers exchanged with lane bits, and back.
struct Row {
  int bits = 0, m = 0, registers = 0;
  double shuffles_ns = 0, shared_ns = 0;
  double recommended_ns = 0;  ///< of what was recommended then, which may be a plan between the two
};

std::vector<Row> rows() {
  const auto text = read_file(LANESCOPE_SOURCE_DIR "/bench/results/gpu_convert_crossover.csv");
  EXPECT_TRUE(text.has_value());
  std::vector<Row> out;
  const std::string all = text.value_or("");
  for (const std::string_view line : split_lines(all)) {
    Row r;
    const std::string copy(line);
    if (std::sscanf(copy.c_str(), "%d,%d,%d,%lf,%lf,%lf", &r.bits, &r.m, &r.registers, &r.shuffles_ns, &r.shared_ns,
                    &r.recommended_ns) == 6)
      out.push_back(r);
  }
  return out;
}

std::pair<layout::Assignment, layout::Assignment> sides(const Row& row) {
  const int simd = std::countr_zero(32U / static_cast<unsigned>(row.bits));
  std::vector<std::string> s, r, t = {"b4", "b3", "b2", "b1", "b0"};
  for (int n = simd; n-- > 0;) s.push_back(fmt::format("s{}", n));
  for (int n = std::countr_zero(static_cast<unsigned>(row.registers)); n-- > 0;) r.push_back(fmt::format("a{}", n));
  const auto text = [&] {
    return *layout::parse((simd > 0 ? fmt::format("simd: {}; ", fmt::join(s, " ")) : std::string()) +
                          fmt::format("register: {}; thread: {}", fmt::join(r, " "), fmt::join(t, " ")));
  };
  const layout::Assignment from = text();
  for (int n = 0; n < row.m; ++n)
    std::swap(r[r.size() - 1 - static_cast<std::size_t>(n)], t[t.size() - 1 - static_cast<std::size_t>(n)]);
  return {from, text()};
}

TEST(Crossover, WhatIsRecommendedWasMeasuredFaster) {
  int agree = 0, all = 0;
  for (const Row& row : rows()) {
    const auto [from, to] = sides(row);
    for (const bool back : {false, true}) {
      const Expected<Planned> p = plan(back ? to : from, back ? from : to, row.bits);
      ASSERT_TRUE(p.has_value()) << p.error().front().message;
      const auto best = std::ranges::find_if(p->plans, &Plan::recommended);
      ASSERT_NE(best, p->plans.end());
      const double taken = best->shared               ? row.shared_ns
                           : best == p->plans.begin() ? row.shuffles_ns
                                                      : row.recommended_ns;
      const double least = std::min({row.shared_ns, row.shuffles_ns, row.recommended_ns});
      EXPECT_LE(taken, 1.25 * least) << row.bits << " bits, m " << row.m << ", " << row.registers << " registers";
      ++all;
      if (taken <= 1.03 * least) ++agree;
    }
  }
  EXPECT_EQ(all, 2 * 75);
  EXPECT_GE(agree, 2 * 70);
}

TEST(Crossover, ConstantsSayWhereTheyAreFrom) {
  for (const CostConstant& c : cost_constants) {
    EXPECT_EQ(c.measured, c.what != "movmatrix") << c.what;
    EXPECT_NE(c.source.find(c.measured ? "H200" : "estimate"), std::string_view::npos) << c.what;
  }
  for (const CostConstant& c : cost_constants_elsewhere) {
    EXPECT_FALSE(c.measured) << c.what;
    EXPECT_TRUE(c.source.starts_with("estimate")) << c.what;
  }
}

}  // namespace
}  // namespace lanescope::convert
