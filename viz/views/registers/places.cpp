#include "viz/views/registers/places.h"

#include <fmt/format.h>

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
  for (const RegisterGrid& grid : moment.grids) {
    if (grid.family == place.family && place.warp >= grid.first_warp && place.warp < grid.first_warp + grid.warps)
      return &grid;
  }
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

}  // namespace lanescope::views
