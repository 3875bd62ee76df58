#include "kernels/layout/infer.h"

#include <algorithm>
#include <bit>
#include <unordered_map>

#include <fmt/format.h>

#include "kernels/base/check.h"
#include "kernels/base/set_bits.h"

namespace lanescope::layout {
namespace {

using Seen = std::unordered_map<std::uint64_t, std::uint64_t>;  // place -> element

/// Two elements at one place; nullopt when every place has one, and then `seen` is filled.
std::optional<std::vector<Observation>> two_at_one_place(const Question& q, Seen& seen) {
  seen.reserve(q.observations.size());
  for (const Observation& o : q.observations) {
    const auto [at, fresh] = seen.emplace(o.place, o.element);
    if (!fresh && at->second != o.element) return std::vector<Observation>{{o.place, at->second}, o};
  }
  return std::nullopt;
}

/// Walks down from the odd place towards the origin of the subcube that the witness spans. Where prediction still fails
/// but holds at every place one step lower, two of those steps close a parallelogram that fails.
std::optional<std::vector<Observation>> descend(const Seen& seen, const std::vector<Observation>& witness) {
  const Observation origin = witness.front();
  const std::vector<Observation> steps(witness.begin() + 1, witness.end() - 1);
  std::uint64_t used = steps.size() >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << steps.size()) - 1;
  const auto corner = [&](std::uint64_t mask) {
    Observation o = origin;
    for (const std::size_t step : set_bits(mask)) {
      const Observation& s = steps[step];
      o.place ^= s.place ^ origin.place;
      o.element ^= s.element ^ origin.element;
    }
    return o;
  };
  const auto look = [&](std::uint64_t mask, Observation& predicted) {
    predicted = corner(mask);
    const auto at = seen.find(predicted.place);
    return at == seen.end() ? std::optional<std::uint64_t>() : std::optional(at->second);
  };
  for (bool lower = true; lower;) {
    lower = false;
    for (const std::size_t step : set_bits(used)) {
      const std::uint64_t next = used ^ std::uint64_t{1} << step;
      Observation predicted;
      const std::optional<std::uint64_t> element = look(next, predicted);
      if (!element) return std::nullopt;
      if (*element == predicted.element) continue;
      used = next;
      lower = true;
      break;
    }
  }
  if (std::popcount(used) < 2) return std::nullopt;
  const std::uint64_t u = used & (~used + 1);
  const std::uint64_t v = (used ^ u) & (~(used ^ u) + 1);
  std::vector<Observation> out;
  for (const std::uint64_t mask : {used ^ u ^ v, used ^ u, used ^ v, used}) {
    Observation predicted;
    const std::optional<std::uint64_t> element = look(mask, predicted);
    if (!element) return std::nullopt;
    out.push_back({predicted.place, *element});
  }
  return out;
}

/// Every pair of places: two pairs with the same place difference and different element differences. Exact.
std::optional<std::vector<Observation>> parallelogram(const Seen& seen) {
  if (seen.size() > exact_limit) return std::nullopt;
  std::vector<Observation> places;
  for (const auto& [place, element] : seen) places.push_back({place, element});
  std::sort(places.begin(), places.end(), [](const auto& a, const auto& b) { return a.place < b.place; });
  struct Pair {
    std::uint64_t element = 0;
    std::uint32_t a = 0;
    std::uint32_t b = 0;
  };
  std::unordered_map<std::uint64_t, Pair> first;
  for (std::uint32_t b = 1; b < places.size(); ++b)
    for (std::uint32_t a = 0; a < b; ++a) {
      const std::uint64_t element = places[a].element ^ places[b].element;
      const auto [at, fresh] = first.emplace(places[a].place ^ places[b].place, Pair{element, a, b});
      if (fresh || at->second.element == element) continue;
      return std::vector<Observation>{places[at->second.a], places[at->second.b], places[a], places[b]};
    }
  return std::nullopt;
}

std::string in_words(const Question& q, const std::vector<Observation>& obs) {
  const Observation& odd = obs.back();
  const auto holds = [&](const Observation& o) {
    return fmt::format("{} holds {}", place_in_words(q.shape, o.place), element_in_words(q.names, o.element));
  };
  if (obs.size() == 2)
    return fmt::format("{} holds both {} and {}", place_in_words(q.shape, odd.place),
                       element_in_words(q.names, obs[0].element), element_in_words(q.names, odd.element));
  std::uint64_t predicted = 0;
  for (std::size_t i = 0; i + 1 < obs.size(); ++i) predicted ^= obs[i].element;
  std::string others;
  constexpr std::size_t most_listed = 7;
  for (std::size_t i = 0; i + 1 < obs.size() && i < most_listed; ++i) others += (i == 0 ? "" : "; ") + holds(obs[i]);
  if (obs.size() - 1 > most_listed) others += fmt::format("; and {} more places", obs.size() - 1 - most_listed);
  return fmt::format("{}, where {} other places predict {}: {}", holds(odd), obs.size() - 1,
                     element_in_words(q.names, predicted), others);
}

}  // namespace

Counterexample smallest_counterexample(const Question& q, std::vector<Observation> witness) {
  LS_CHECK_EQ(witness.size() % 2, std::size_t{0});
  Seen seen;
  std::optional<std::vector<Observation>> best = two_at_one_place(q, seen);
  if (!best && witness.size() > 4) best = descend(seen, witness);
  if (!best && witness.size() > 4) best = parallelogram(seen);
  if (!best) best = std::move(witness);
  std::string words = in_words(q, *best);
  return {std::move(*best), std::move(words)};
}

std::string place_in_words(const PhysicalShape& shape, std::uint64_t place) {
  std::string out;
  for (const auto& [row, word] : {std::pair{Place::block, "block"},
                                  {Place::warp, "warp"},
                                  {Place::thread, "lane"},
                                  {Place::reg, "register"},
                                  {Place::simd, "simd part"}}) {
    const int bits = shape.bits[static_cast<std::size_t>(row)];
    if (bits == 0) continue;
    const std::uint64_t index = place >> shape.offset(row) & ((std::uint64_t{1} << bits) - 1);
    out += fmt::format("{}{} {}", out.empty() ? "" : ", ", word, index);
  }
  return out.empty() ? "the only place" : out;
}

std::string element_in_words(const std::vector<std::string>& names, std::uint64_t element) {
  std::vector<std::pair<std::string, std::uint64_t>> axes;
  for (std::size_t n = 0; n < names.size(); ++n) {
    const LogicalBit bit = split_name(names[n]);
    auto axis = std::find_if(axes.begin(), axes.end(), [&](const auto& a) { return a.first == bit.axis; });
    if (axis == axes.end()) axis = axes.insert(axes.end(), {bit.axis, 0});
    if (bit.bit < 64) axis->second |= (element >> n & 1) << bit.bit;
  }
  std::string out;
  for (const auto& [axis, value] : axes) out += fmt::format("{}{}={}", out.empty() ? "" : ", ", axis, value);
  return axes.empty() ? "the only element" : "(" + out + ")";
}

}  // namespace lanescope::layout
