// Comments between the moves: every state of a program, place by place, in every warp.

#include <gtest/gtest.h>

#include "kernels/convert/bits.h"
#include "kernels/convert/place_map.h"
#include "kernels/convert/planner.h"
#include "tests/kernels/convert/random_pairs.h"

namespace lanescope::convert {
namespace {

/// "" where the registers of stage `n` hold what `state` says.
std::string wrong_state(const Planned& p, const WordProgram& program, std::size_t n, const layout::Assignment& state) {
  const Expected<PlaceMap> m = place_map(p.from, state, p.element_bits);
  if (!m) return m.error().front().message;
  const PlaceCheck check(*m, p.map.warps);
  for (int pass = 0; pass < check.passes(); ++pass) {
    std::vector<std::vector<Register>> inputs, outputs;
    for (std::uint64_t w = 0; w < bit(p.map.warps); ++w) {
      inputs.push_back(check.inputs(pass, w));
      const std::vector<Register> values = execute(program, inputs.back());
      outputs.emplace_back();
      for (const Value v : program.stages[n].words) outputs.back().push_back(values[index(v)]);
    }
    if (std::string wrong = check.wrong(inputs, outputs); !wrong.empty()) return wrong;
  }
  return {};
}

TEST(States, HoldInEveryWarp) {
  RandomPairs random(61);
  int states = 0, with_warps = 0;
  for (const Kind kind : {Kind::permutation, Kind::linear}) {
    for (const int bits : {4, 8, 16, 32}) {
      for (int n = 0; n < 25; ++n) {
        Pair p = random.pair(kind, bits, 3, 0);
        // Elements stay in their warps.
        for (layout::Assignment* a : {&p.from, &p.to})
          a->row(layout::Place::warp) = {layout::sum_of({"w1"}), layout::sum_of({"w0"})};
        if (kind == Kind::linear && random.any(3) == 0) {
          // The registers depend on the warp.
          for (layout::Assignment* a : {&p.from, &p.to}) {
            layout::Term& t = a->row(layout::Place::thread)->front();
            t = layout::sum_of(
                [&] {
                  auto names = t.names;
                  names.push_back("w0");
                  return names;
                }(),
                t.constant);
          }
        }
        const Expected<Planned> planned = plan(p.from, p.to, bits);
        ASSERT_TRUE(planned.has_value());
        for (const Plan& each : planned->plans) {
          if (!each.program) continue;
          const auto found = states_of(*each.program, planned->map, planned->from);
          for (std::size_t k = 0; k < found.size(); ++k) {
            // Words that were fetched twice are distinguished by bits of their own.
            if (!found[k] || layout::logical_bits(*found[k]) != layout::logical_bits(p.from)) continue;
            ++states;
            with_warps += found[k]->row(layout::Place::warp) ? 1 : 0;
            ASSERT_EQ(wrong_state(*planned, *each.program, k, *found[k]), "") << layout::print_line(p.from) << "\n"
                                                                              << layout::print_line(p.to) << "\n"
                                                                              << layout::print_line(*found[k]);
          }
        }
      }
    }
  }
  EXPECT_GT(states, 200);
  EXPECT_EQ(with_warps, states);
}

}  // namespace
}  // namespace lanescope::convert
