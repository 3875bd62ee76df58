#include "viz/views/registers/places.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

namespace lanescope::views {

std::string register_name(const Summary& summary, int family, int reg, int part, int parts) {
  std::string name = fmt::format("r{}", reg);
  if (family >= 0 && family < static_cast<int>(summary.families.size())) {
    const RegisterArray& info = summary.families[family];
    if (reg >= 0 && reg < static_cast<int>(info.registers.size())) name = info.registers[reg];
  }
  switch (parts) {
    case 1:
      return name;
    case 2:
      return name + (part == 0 ? ".lo" : ".hi");
    case 4:
      return fmt::format("{}.b{}", name, part);
    case 8:
      return fmt::format("{}.n{}", name, part);
    default:
      return fmt::format("{}:{}", name, part);
  }
}

const RegisterGrid* grid_of(const Moment& moment, const PlaceRef& place) {
  for (const RegisterGrid& grid : moment.grids)
    if (grid.family == place.family && place.warp >= grid.first_warp && place.warp < grid.first_warp + grid.warps)
      return &grid;
  return nullptr;
}

const Cell* cell_at(const Moment& moment, const PlaceRef& place) {
  const RegisterGrid* grid = grid_of(moment, place);
  if (grid == nullptr || place.reg < 0 || place.reg >= grid->registers || place.part < 0 || place.part >= grid->parts ||
      place.lane < 0 || place.lane >= 32) {
    return nullptr;
  }
  const std::size_t index =
      ((static_cast<std::size_t>(place.warp - grid->first_warp) * grid->registers + place.reg) * grid->parts +
       place.part) *
          32 +
      place.lane;
  return index < grid->cells.size() ? &grid->cells[index] : nullptr;
}

std::string place_text(const Summary& summary, const Moment& moment, const PlaceRef& place) {
  const RegisterGrid* grid = grid_of(moment, place);
  const int parts = grid == nullptr ? 1 : grid->parts;
  return fmt::format("warp {} · {}{}", place.warp, place.lane < 0 ? "" : fmt::format("lane {} · ", place.lane),
                     register_name(summary, place.family, place.reg, place.part, parts));
}

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
