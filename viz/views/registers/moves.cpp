#include "viz/views/registers/moves.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace lanescope::views {

std::vector<MoveBundle> bundle(const std::vector<Move>& moves) {
  struct Slot {
    std::size_t index;
    std::vector<bool> warps;
  };
  using Key = std::tuple<int, int, int, int, int, int, int, int>;
  std::map<Key, Slot> known;
  std::vector<MoveBundle> bundles;
  for (std::uint32_t n = 0; n < moves.size(); ++n) {
    const Move& move = moves[n];
    const int lane_xor = move.from.lane ^ move.to.lane, warp_xor = move.from.warp ^ move.to.warp;
    const Key key{move.from.family, move.from.reg, move.from.part, move.to.family,
                  move.to.reg,      move.to.part,  lane_xor,       warp_xor};
    auto [slot, fresh] = known.try_emplace(key, Slot{bundles.size(), {}});
    if (fresh) bundles.push_back({.first = move, .moves = 0, .warps = 0, .lane_xor = lane_xor, .warp_xor = warp_xor});
    MoveBundle& all = bundles[slot->second.index];
    ++all.moves;
    all.members.push_back(n);
    std::vector<bool>& warps = slot->second.warps;
    const auto warp = static_cast<std::size_t>(move.from.warp);
    if (warps.size() <= warp) warps.resize(warp + 1, false);
    if (!warps[warp]) warps[warp] = true, ++all.warps;
    if (std::tie(move.from.warp, move.from.lane) < std::tie(all.first.from.warp, all.first.from.lane)) all.first = move;
  }
  std::stable_sort(bundles.begin(), bundles.end(),
                   [](const MoveBundle& a, const MoveBundle& b) { return a.moves > b.moves; });
  return bundles;
}

}  // namespace lanescope::views
