#include "kernels/convert/planner.h"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "kernels/convert/bits.h"

namespace lanescope::convert {
namespace {

using layout::Assignment;
using layout::Place;
using layout::Term;
using Terms = std::vector<Term>;

/// `terms` with each that `stays` (same number) where that has it; the others in their order in what is left.
Terms kept(const Terms& stays, Terms terms) {
  Terms out(terms.size());
  std::vector<bool> taken(terms.size(), false);
  for (std::size_t i = 0; i < std::min(stays.size(), out.size()); ++i) {
    const auto found = std::ranges::find(terms, stays[i]);
    if (found == terms.end() || found->role != Term::Role::sum) continue;
    out[i] = *found;
    taken[i] = true;
    terms.erase(found);
  }
  for (std::size_t i = 0; i < out.size(); ++i) {
    if (taken[i]) continue;
    out[i] = terms.front();
    terms.erase(terms.begin());
  }
  return out;
}

/// Orders of the lanes: what stays stays, the rest in every order.
std::vector<Terms> lane_orders(const Terms& from, const Terms& to) {
  const Terms first = kept(from, to);
  std::vector<std::size_t> others;
  for (std::size_t i = 0; i < first.size(); ++i)
    if (i >= from.size() || first[i] != from[i]) others.push_back(i);
  std::vector<std::size_t> order(others.size());
  std::iota(order.begin(), order.end(), 0);
  std::vector<Terms> out;
  do {
    Terms next = first;
    for (std::size_t n = 0; n < others.size(); ++n) next[others[n]] = first[others[order[n]]];
    out.push_back(std::move(next));
  } while (static_cast<int>(out.size()) < most_orders && std::ranges::next_permutation(order).found);
  return out;
}

const Terms& terms_of(const Assignment& a, Place p) {
  static const Terms none;
  return a.row(p) ? *a.row(p) : none;
}

/// Simd bits that stay simd bits; else register bits that stay in the thread; else others.
Assignment local_order(const Assignment& from, Assignment to) {
  if (!to.row(Place::simd) || !to.row(Place::reg)) return to;
  Terms& simd = *to.row(Place::simd);
  Terms& registers = *to.row(Place::reg);
  const Terms old_simd = terms_of(from, Place::simd), old_registers = terms_of(from, Place::reg);
  Terms all = simd;
  all.insert(all.end(), registers.begin(), registers.end());
  const auto rank = [&](const Term& t) {
    return std::ranges::find(old_simd, t) != old_simd.end()             ? 0
           : std::ranges::find(old_registers, t) != old_registers.end() ? 1
                                                                        : 2;
  };
  std::ranges::stable_sort(all, {}, rank);
  simd = kept(old_simd, Terms(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(simd.size())));
  registers = kept(old_registers, Terms(all.begin() + static_cast<std::ptrdiff_t>(simd.size()), all.end()));
  return to;
}

bool fewer(const Planned& a, const Planned& b) {
  const auto cost = [](const Planned& p) {
    const Plan& first = p.plans.front();
    return std::tuple{first.program ? 0 : 1, first.counts.shuffles, first.counts.all(), first.cycles};
  };
  if (a.plans.empty() || b.plans.empty()) return !a.plans.empty() && b.plans.empty();
  return cost(a) < cost(b);
}

Diagnostics in_step(Diagnostics problems, std::size_t step) {
  for (Diagnostic& d : problems) d.message = fmt::format("step {}: {}", step, d.message);
  return problems;
}

}  // namespace

std::vector<Assignment> orders(const Assignment& from, const Assignment& to, const Freedom& free) {
  Assignment complete = to;
  for (std::size_t p = 0; p < index(layout::place_count); ++p)
    if (!complete.rows[p]) complete.rows[p] = from.rows[p];
  std::vector<Assignment> out = {complete};
  const auto add = [&](Assignment a) {
    if (std::ranges::find(out, a) == out.end()) out.push_back(std::move(a));
  };
  std::vector<Assignment> bases = {complete};
  if (free.register_order) {
    bases.push_back(local_order(from, complete));
    add(bases.back());
  }
  if (free.lane_order && complete.row(Place::thread))
    for (Terms& lanes_row : lane_orders(terms_of(from, Place::thread), *complete.row(Place::thread)))
      for (Assignment a : bases) {
        a.row(Place::thread) = lanes_row;
        add(std::move(a));
      }
  return out;
}

Expected<Planned> plan(const Assignment& from, const Assignment& to, int element_bits, const Freedom& free) {
  Expected<Planned> best = plan(from, to, element_bits);
  if (!best || !free.any()) return best;
  for (const Assignment& order : orders(from, to, free)) {
    Expected<Planned> next = plan(from, order, element_bits);
    if (next && fewer(*next, *best)) best = std::move(next);
  }
  return best;
}

Counts Chain::step_counts() const {
  Counts out;
  for (const Planned& s : steps)
    if (!s.plans.empty()) out = out + s.plans.front().counts;
  return out;
}

Expected<Chain> plan_chain(std::span<const Assignment> states, int element_bits, const Freedom& free) {
  if (states.size() < 2) return failure("a chain needs two assignments or more", "add the next assignment");
  Chain out;
  Assignment now = states.front();
  for (std::size_t n = 1; n < states.size(); ++n) {
    const bool last = n + 1 == states.size();
    Expected<Planned> step = plan(now, states[n], element_bits, last ? free : Freedom{});
    if (!step && states.size() == 2) return tl::unexpected<Diagnostics>(std::move(step.error()));
    if (!step) return tl::unexpected<Diagnostics>(in_step(std::move(step.error()), n));
    now = step->to;
    out.steps.push_back(std::move(*step));
  }
  out.direct = LS_TRY(plan(states.front(), now, element_bits, free));
  return out;
}

}  // namespace lanescope::convert
