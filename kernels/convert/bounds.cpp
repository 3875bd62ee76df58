#include "kernels/convert/planner.h"

#include <algorithm>
#include <array>
#include <optional>

#include <fmt/format.h>

#include "kernels/convert/bits.h"
#include "kernels/convert/word_program.h"
#include "kernels/layout/f2_basis.h"

namespace lanescope::convert {
namespace {

/// Words that lanes need of other lanes.
struct Needs {
  std::uint64_t of_a_lane = 0;                     ///< w
  std::array<std::uint64_t, lanes> from_others{};  ///< N of each lane; 0 where the destination has no such lane
  std::uint64_t most = 0;                          ///< of them
  std::uint64_t room = 1;                          ///< c
  bool one_reader_each = true;                     ///< no element is needed by two lanes, and none is in two lanes
};

// The places that a lane reads are the sums of the columns of its local bits, moved by a vector of the lane: a coset. So
// their number, the lanes among them, and how many are its own lane's follow from ranks.
Needs needs_of(const PlaceMap& map) {
  layout::F2Basis<std::uint64_t> elements, lanes_heard;
  int rank = 0, lane_rank = 0;
  const auto lane_part = [&](std::uint64_t place) { return place >> map.local() & (lanes - 1); };
  for (int i = 0; i < map.local(); ++i) {
    if (map.roles[index(i)] == Role::free) continue;
    const std::uint64_t c = map.columns[index(i)] & ~map.from_copies;
    if (elements.insert({c, 0})) ++rank;
    if (lanes_heard.insert({lane_part(c), 0})) ++lane_rank;
  }
  const std::uint64_t copied_lanes = lane_part(map.from_copies);
  Needs out{.of_a_lane = bit(rank - lane_rank),
            .room = static_cast<std::uint64_t>(32 / std::min(map.element_bits, 32)),
            .one_reader_each = copied_lanes == 0};
  for (std::uint64_t lane = 0; lane < lanes; ++lane) {
    bool exists = true;
    for (int i = 0; i < lane_bits; ++i)
      exists = exists && !(has(lane, i) && map.roles[index(map.lane(i))] == Role::free);
    if (!exists) continue;
    const std::uint64_t first = lane_part(map(lane << map.local()) & ~map.from_copies);
    const bool own = lanes_heard.reduce({first ^ (lane & ~copied_lanes), 0}).vector == 0;
    out.from_others[lane] = bit(rank) - (own ? out.of_a_lane : 0);
    out.most = std::max(out.most, out.from_others[lane]);
  }
  for (int i = 0; i < lane_bits; ++i) {
    const int b = map.lane(i);
    if (map.roles[index(b)] == Role::free) continue;
    if (!elements.insert({map.columns[index(b)] & ~map.from_copies, 0})) out.one_reader_each = false;
  }
  return out;
}

/// Elements that k shuffles bring to a lane at most.
std::uint64_t heard(const Needs& n, int k) {
  std::uint64_t out = 0;
  for (int shuffle = 0; shuffle < k && out < n.most; ++shuffle)
    out += shuffle < lane_bits ? std::min(n.room, n.of_a_lane << shuffle) : n.room;
  return out;
}

/// Registers' places that the elements of all lanes take on their shortest ways; nullopt: some lane is out of reach.
std::optional<std::uint64_t> places(const Needs& n, int k) {
  std::uint64_t out = 0;
  for (std::uint64_t left : n.from_others) {
    std::uint64_t ways = 1;  // C(k, reads)
    for (int reads = 1; reads <= k && left > 0; ++reads) {
      ways = ways * static_cast<std::uint64_t>(k - reads + 1) / static_cast<std::uint64_t>(reads);
      const std::uint64_t so_far = std::min(left, ways * n.of_a_lane);
      out += so_far * static_cast<std::uint64_t>(reads);
      left -= so_far;
    }
    if (left > 0) return std::nullopt;
  }
  return out;
}

}  // namespace

ShuffleBound shuffle_bound(const PlaceMap& map) {
  const Needs n = needs_of(map);
  if (n.most == 0) return {0, "every lane holds all that it needs"};
  const auto by_room = static_cast<int>((n.most + n.room - 1) / n.room);
  int by_hearing = by_room;
  while (heard(n, by_hearing) < n.most) ++by_hearing;
  int by_detours = by_hearing;
  const auto room_of_all = [&](int k) { return lanes * n.room * static_cast<std::uint64_t>(k); };
  while (n.one_reader_each && places(n, by_detours).value_or(room_of_all(by_detours) + 1) > room_of_all(by_detours))
    ++by_detours;
  const std::string needs =
      n.room == 1 ? fmt::format("a lane needs {} words from other lanes, and a shuffle brings one", n.most)
                  : fmt::format("a lane needs {} bits from other lanes, and a shuffle brings 32", n.most * 32 / n.room);
  if (by_detours == by_room) return {by_detours, needs};
  if (by_detours == by_hearing)
    return {by_detours, fmt::format("a lane needs {} elements from other lanes, {} of each; a lane offers in shuffle n "
                                    "data of 2^(n-1) lanes, so {} bring {} of them at most",
                                    n.most, n.of_a_lane, by_detours - 1, heard(n, by_detours - 1))};
  const auto taken = places(n, by_detours - 1);
  return {by_detours,
          fmt::format("a lane needs {} elements from other lanes, {} of each; those of lanes that it does not read "
                      "pass through others and take room there: with {} shuffles {} places of all lanes, which have {}",
                      n.most, n.of_a_lane, by_detours - 1, taken ? fmt::format("{}", *taken) : "more",
                      room_of_all(by_detours - 1))};
}

}  // namespace lanescope::convert
