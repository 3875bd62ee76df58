#include "profiling/review/memory/narrow_groups.h"

#include <algorithm>
#include <set>
#include <tuple>

#include "profiling/access/access.h"

namespace lanescope::review {
namespace {

using trace::AccessKind;
using trace::MemorySpace;

/// Accesses that move data the other way, in one piece of code, in the same memory: ascending pcs.
std::vector<std::uint32_t> opposed(const AccessCollector& seen, const Neighbour& leader) {
  std::vector<std::uint32_t> out;
  for (const auto& [key, t] : seen.totals()) {
    const bool shared = t.access.space == MemorySpace::shared;
    if (t.access.space == MemorySpace::constant) continue;
    if (seen.pieces()[t.pc] != seen.pieces()[leader.pc] || shared != (leader.buffer == Neighbour::in_shared)) continue;
    const bool writes = t.access.kind != AccessKind::load, led_writes = leader.kind != AccessKind::load;
    if (writes != led_writes && (shared || t.buffer < 0 || t.buffer == leader.buffer)) out.push_back(t.pc);
  }
  return out;
}

/// Accesses of one leader whose distances to it never change, nearest to the lowest address first; in lists between which
/// the data may have changed.
std::vector<std::vector<const Neighbour*>> steady(const AccessCollector& seen, const Neighbour& leader) {
  const std::vector<std::uint32_t> between = opposed(seen, leader);
  std::vector<std::vector<const Neighbour*>> out(between.size() + 1);
  for (const auto& [pc, n] : seen.neighbours())
    if (n.leader == leader.pc && n.constant && n.width_bytes == leader.width_bytes && n.times == leader.times)
      out[static_cast<std::size_t>(std::ranges::lower_bound(between, pc) - between.begin())].push_back(&n);
  const auto same = [](const Neighbour* a, const Neighbour* b) { return a->distance_bytes == b->distance_bytes; };
  for (std::vector<const Neighbour*>& list : out) {
    std::ranges::stable_sort(list, {}, &Neighbour::distance_bytes);
    list.erase(std::unique(list.begin(), list.end(), same), list.end());
  }
  return out;
}

bool aligned(std::uint32_t residues, std::int64_t distance, int bytes) {
  for (int r = 0; r < 16; ++r)
    if ((residues >> r & 1) != 0 && ((r + distance) % bytes + bytes) % bytes != 0) return false;
  return true;
}

/// How many accesses from `first` on follow each other at `step` bytes and fit into one aligned access: 16 to 2, or 1.
std::size_t mergeable(const std::vector<const Neighbour*>& list, std::size_t first, std::int64_t step,
                      std::uint32_t residues) {
  std::size_t run = 1;
  while (first + run < list.size() &&
         list[first + run]->distance_bytes == list[first]->distance_bytes + static_cast<std::int64_t>(run) * step)
    ++run;
  const int width = list[first]->width_bytes;
  for (std::size_t n = static_cast<std::size_t>(16 / width); n >= 2; n /= 2)
    if (run >= n && aligned(residues, list[first]->distance_bytes, static_cast<int>(n) * width)) return n;
  return 1;
}

/// Pairs of address operands whose distance changes from one execution to another, in either order.
std::set<std::pair<std::string_view, std::string_view>> unsteady(
    const AccessCollector& seen, const std::function<std::string_view(std::uint32_t)>& address_of) {
  std::set<std::pair<std::string_view, std::string_view>> out;
  for (const auto& [pc, n] : seen.neighbours()) {
    if (n.constant || n.leader == pc) continue;
    for (const auto& [other_pc, other] : seen.neighbours()) {
      if (other.leader != n.leader || !other.constant) continue;
      out.insert({address_of(pc), address_of(other_pc)});
      out.insert({address_of(other_pc), address_of(pc)});
    }
  }
  return out;
}

}  // namespace

std::vector<NarrowGroup> narrow_groups(const AccessCollector& seen, const std::function<int(std::uint32_t)>& line_of,
                                       const std::function<std::string_view(std::uint32_t)>& address_of) {
  std::vector<NarrowGroup> out;
  using Place = std::tuple<std::set<int>, AccessKind, int, bool>;  // lines, kind, buffer, own
  std::set<Place> apart;
  const auto place = [&](const std::vector<const Neighbour*>& members, bool own) {
    std::set<int> lines;
    for (const Neighbour* n : members) lines.insert(line_of(n->pc));
    return Place{std::move(lines), members.front()->kind, members.front()->buffer, own};
  };
  for (const auto& [pc, leader] : seen.neighbours()) {
    if (leader.leader != pc || leader.width_bytes <= 0) continue;
    for (const std::vector<const Neighbour*>& list : steady(seen, leader)) {
      const auto gather = [&](bool own) {
        bool found = false;
        const int step = leader.width_bytes * (own ? 1 : 32);
        for (std::size_t i = 0; i < list.size();) {
          const std::size_t n = mergeable(list, i, step, own ? leader.residues : leader.base_residues);
          if (n > 1) {
            const auto begin = list.begin() + static_cast<std::ptrdiff_t>(i);
            out.push_back({.members = {begin, begin + static_cast<std::ptrdiff_t>(n)},
                           .own = own,
                           .width_bytes = leader.width_bytes,
                           .wide_bytes = leader.width_bytes * static_cast<int>(n)});
            found = true;
          }
          i += n;
        }
        return found;
      };
      if (list.empty()) continue;
      const bool own = gather(true), across = !own && leader.consecutive && gather(false);
      if (list.size() < 2 || own) continue;
      apart.insert(place(list, true));
      if (!across) apart.insert(place(list, false));
    }
  }
  std::erase_if(out, [&](const NarrowGroup& g) {
    const Neighbour* first = *std::ranges::min_element(g.members, {}, &Neighbour::pc);
    return apart.contains(place({first}, g.own)) || apart.contains(place(g.members, g.own));
  });
  if (const auto varying = unsteady(seen, address_of); !varying.empty())
    std::erase_if(out, [&](const NarrowGroup& g) {
      return std::ranges::any_of(g.members, [&](const Neighbour* n) {
        return varying.contains({address_of(g.first().pc), address_of(n->pc)});
      });
    });
  return out;
}

GroupWavefronts wavefronts_of(const NarrowGroup& group) {
  const auto cost = [&](const Neighbour& n, int width) {
    return access::cost({.space = MemorySpace::shared,
                         .kind = n.kind,
                         .width_bytes = width,
                         .mask = n.mask,
                         .addresses = n.addresses})
        .wavefronts;
  };
  GroupWavefronts out{.now = 0, .then = cost(group.first(), group.wide_bytes)};
  for (const Neighbour* n : group.members) out.now += cost(*n, group.width_bytes);
  return out;
}

}  // namespace lanescope::review
