#include "kernels/convert/planner.h"

#include <algorithm>

#include <fmt/format.h>

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
  for (const int l : last)
    if (l >= 0) ++ends[index(l)];
  for (std::size_t n = 0; n < p.code.size(); ++n) {
    alive -= ends[n];
    if (p.code[n].op != Op::input) ++alive;
    most = std::max(most, alive);
  }
  return most;
}

/// Of a block, as much as an H200 gives one that requests it.
constexpr std::uint64_t most_shared_bytes = 227 * 1024;

Plan inside_a_warp(WarpPlan w) {
  Plan p{.counts = w.program.counts(), .registers = most_alive(w.program)};
  p.cycles = cycles_of(p.counts, 0, 0, 0);
  p.program = std::move(w.program);
  return p;
}

Plan through_shared(SharedPlan shared) {
  Plan out{.counts = shared.store.counts() + shared.load.counts(),
           .shared_cost = shared.cost(),
           .registers = std::max(most_alive(shared.store), most_alive(shared.load))};
  const bool block = shared.between_warps;
  out.cycles = cycles_of(out.counts, out.shared_cost.store_wavefronts + out.shared_cost.load_wavefronts, block ? 1 : 0,
                         block ? 0 : 1);
  out.shared = std::move(shared);
  return out;
}

}  // namespace

bool Planned::proved_optimal() const {
  return bound && !plans.empty() && plans.front().program && plans.front().counts.shuffles == bound->shuffles;
}

std::optional<int> Planned::gap() const {
  if (!bound || plans.empty() || !plans.front().program) return std::nullopt;
  return plans.front().counts.shuffles - bound->shuffles;
}

Expected<Planned> plan(const layout::Assignment& from, const layout::Assignment& to, int element_bits) {
  PlaceMap map = LS_TRY(place_map(from, to, element_bits));
  Planned out{.from = from, .to = to, .element_bits = element_bits, .map = std::move(map), .plans = {}, .bound = {}};
  for (int p = 0; p < layout::place_count; ++p) {
    auto& row = out.to.rows[index(p)];
    if (!row) row = from.rows[index(p)];
  }
  if (out.map.within_warps()) {
    out.bound = shuffle_bound(out.map);
    for (WarpPlan& w : warp_plans(out.map, {}, &out.complete)) out.plans.push_back(inside_a_warp(std::move(w)));
  }
  if (out.map.within_warps() && out.bound->shuffles > 0) {
    // Where it is fewer instructions than every plan by shuffles.
    if (std::optional<WarpPlan> matrix = matrix_plan(out.map)) {
      Plan p = inside_a_warp(std::move(*matrix));
      if (std::ranges::all_of(out.plans, [&](const Plan& other) { return p.counts.all() < other.counts.all(); }))
        out.plans.push_back(std::move(p));
    }
  }
  // A conversion without a shuffle needs no memory.
  if (!out.bound || out.bound->shuffles > 0) {
    std::optional<SharedPlan> shared = shared_plan(out.map);
    if (!shared && out.plans.empty())
      return failure("elements move between blocks",
                     "that takes a store to global memory and a load by another kernel");
    const std::uint64_t bytes = shared ? shared->shared_bytes() : 0;
    if (bytes > most_shared_bytes && out.plans.empty())
      return failure(
          fmt::format("a block would need {} bytes of shared memory, and has {} at most", bytes, most_shared_bytes),
          "move half of the registers at a time: leave one register bit out of both sides");
    if (shared && bytes <= most_shared_bytes) {
      for (SharedPlan& matrix : matrix_shared_plans(*shared, out.map))
        out.plans.push_back(through_shared(std::move(matrix)));
      std::optional<Plan> exchanged;
      for (SharedPlan& e : exchanged_shared_plans(*shared, out.map)) {
        Plan p = through_shared(std::move(e));
        if (!exchanged || p.cycles < exchanged->cycles) exchanged = std::move(p);
      }
      Plan plain = through_shared(std::move(*shared));
      if (exchanged && exchanged->cycles < plain.cycles) out.plans.push_back(std::move(*exchanged));
      out.plans.push_back(std::move(plain));
    }
  }
  // Of plans of equal cost the one without instructions for matrices.
  const auto best = std::ranges::min_element(out.plans, {}, [](const Plan& p) {
    const bool of_matrices = p.counts.matrices > 0 || (p.shared && (p.shared->matrix_stores || p.shared->matrix_loads));
    return std::pair{p.cycles, of_matrices};
  });
  if (best != out.plans.end()) best->recommended = true;
  return out;
}

}  // namespace lanescope::convert
