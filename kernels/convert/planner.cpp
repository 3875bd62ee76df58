#include "kernels/convert/planner.h"

#include <algorithm>
#include <vector>

#include "kernels/convert/bits.h"
#include "kernels/convert/warp_moves.h"

namespace lanescope::convert {
namespace {

/// The most values that are alive between two instructions: made, and needed later.
int most_alive(const WordProgram& p) {
  std::vector<int> last(p.code.size(), -1);
  const auto use = [&](Value v, int at) {
    if (v != nothing) last[index(v)] = std::max(last[index(v)], at);
  };
  for (int n = 0; n < static_cast<int>(p.code.size()); ++n) {
    use(p.code[index(n)].a, n);
    use(p.code[index(n)].b, n);
  }
  for (const Value v : p.outputs) use(v, static_cast<int>(p.code.size()));
  // Inputs are there from the start.
  int alive = static_cast<int>(std::ranges::count_if(p.code, [](const Instruction& i) { return i.op == Op::input; }));
  int most = alive;
  std::vector<int> ends(p.code.size() + 1, 0);
  for (const int l : last) {
    if (l >= 0) ++ends[index(l)];
  }
  for (std::size_t n = 0; n < p.code.size(); ++n) {
    alive -= ends[n];
    if (p.code[n].op != Op::input) ++alive;
    most = std::max(most, alive);
  }
  return most;
}

Plan through_shared(SharedPlan shared) {
  Plan out;
  out.counts = shared.store.counts() + shared.load.counts();
  out.shared_cost = shared.cost();
  out.registers = std::max(most_alive(shared.store), most_alive(shared.load));
  const bool block = shared.between_warps;
  out.cycles = cycles_of(out.counts, out.shared_cost.store_wavefronts + out.shared_cost.load_wavefronts, block ? 1 : 0,
                         block ? 0 : 1, out.registers);
  out.shared = std::move(shared);
  return out;
}

}  // namespace

double cycles_of(const Counts& c, double wavefronts, double block_barriers, double warp_barriers, int registers) {
  return cost_of_a_shuffle.cycles * c.shuffles + cost_of_a_select.cycles * c.selects +
         cost_of_a_permute.cycles * c.permutes + cost_of_logic.cycles * c.logic +
         cost_of_a_wavefront.cycles * wavefronts + cost_of_a_block_barrier.cycles * block_barriers +
         cost_of_a_warp_barrier.cycles * warp_barriers +
         cost_of_a_spill.cycles * std::max(0, registers - registers_without_spill);
}

bool Planned::proved_optimal() const {
  return bound && !plans.empty() && plans.front().program && plans.front().counts.shuffles == bound->shuffles;
}

std::optional<int> Planned::gap() const {
  if (!bound || plans.empty() || !plans.front().program) return std::nullopt;
  return plans.front().counts.shuffles - bound->shuffles;
}

Expected<Planned> plan(const layout::Assignment& from, const layout::Assignment& to, int element_bits) {
  Expected<PlaceMap> map = place_map(from, to, element_bits);
  if (!map) return tl::unexpected<Diagnostics>(map.error());
  Planned out{.from = from, .to = to, .element_bits = element_bits, .map = std::move(*map), .plans = {}, .bound = {}};
  for (int p = 0; p < layout::place_count; ++p) {
    auto& row = out.to.rows[index(p)];
    if (!row) row = from.rows[index(p)];
  }
  if (out.map.within_warps()) {
    out.bound = shuffle_bound(out.map);
    for (WarpPlan& w : warp_plans(out.map, {}, &out.complete)) {
      Plan p;
      p.counts = w.program.counts();
      p.registers = most_alive(w.program);
      p.cycles = cycles_of(p.counts, 0, 0, 0, p.registers);
      p.program = std::move(w.program);
      out.plans.push_back(std::move(p));
    }
  }
  // A conversion without a shuffle needs no memory.
  if (!out.bound || out.bound->shuffles > 0) {
    std::optional<SharedPlan> shared = shared_plan(out.map);
    if (!shared && out.plans.empty())
      return failure("elements move between blocks",
                     "that takes a store to global memory and a load by another kernel");
    if (shared) out.plans.push_back(through_shared(std::move(*shared)));
  }
  const auto best = std::ranges::min_element(out.plans, {}, &Plan::cycles);
  if (best != out.plans.end()) best->recommended = true;
  return out;
}

}  // namespace lanescope::convert
