#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "app/engine/summary/moment.h"

namespace lanescope::engine {
namespace {

using layout::PhysicalBit;
using layout::Place;

using results::Cell;
using results::PlaceRef;

std::uint64_t identity(const Cell& cell) {
  return static_cast<std::uint64_t>(static_cast<std::uint8_t>(cell.buffer)) << 32 | cell.element;
}

bool has_identity(const Cell& cell) {
  const auto kind = static_cast<trace::ElementTag::Kind>(cell.kind);
  return cell.defined && (kind == trace::ElementTag::Kind::exact || kind == trace::ElementTag::Kind::computed);
}

void each_cell(const results::RegisterGrid& grid, auto visit) {
  std::size_t i = 0;
  for (int warp = 0; warp < grid.warps; ++warp)
    for (int reg = 0; reg < grid.registers; ++reg)
      for (int part = 0; part < grid.parts; ++part)
        for (int lane = 0; lane < 32; ++lane, ++i)
          visit(PlaceRef{grid.family, grid.first_warp + warp, reg, part, lane}, grid.cells[i], i);
}

/// Per warp, the shuffles that ran after `from` up to `to`.
using Shuffles = std::unordered_map<int, std::vector<const trace::ShuffleRecord*>>;
Shuffles shuffles_between(const trace::Trace& trace, std::int64_t from, std::int64_t to) {
  Shuffles out;
  const auto begin = std::ranges::partition_point(
      trace.shuffles, [&](const auto& s) { return static_cast<std::int64_t>(s.step) <= from; });
  for (auto it = begin; it != trace.shuffles.end() && static_cast<std::int64_t>(it->step) <= to; ++it)
    out[static_cast<int>(trace.steps[it->step].warp)].push_back(&*it);
  return out;
}

bool lanes_connected(const Shuffles& shuffles, const PlaceRef& from, const PlaceRef& to) {
  if (from.lane == to.lane) return true;
  const auto found = shuffles.find(to.warp);
  if (found == shuffles.end()) return false;
  return std::ranges::any_of(found->second, [&](const trace::ShuffleRecord* s) {
    return s->source_lane[static_cast<std::size_t>(to.lane)] == from.lane;
  });
}

int preference(const Shuffles& shuffles, const PlaceRef& from, const PlaceRef& to) {
  return 16 * (from.warp == to.warp) + 8 * (from.warp == to.warp && lanes_connected(shuffles, from, to)) +
         4 * (from.family == to.family) + 2 * (from.reg == to.reg) + (from.part == to.part);
}

/// The name of an exchange of bits of these two rows (the inner one first).
std::string name_of_exchange(Place inner, Place outer) {
  if (outer == Place::block) return "exchange between blocks";
  if (outer == Place::warp) return "transpose between warps";
  if (outer == Place::thread) return inner == Place::thread ? "lane exchange" : "warp transpose";
  return inner == outer ? (inner == Place::reg ? "registers renamed" : "halves exchanged") : "local transpose";
}

}  // namespace

std::vector<results::Move> moves_between(const trace::Trace& trace, const std::vector<results::RegisterGrid>& before,
                                         const std::vector<results::RegisterGrid>& after, std::int64_t from_step,
                                         std::int64_t to_step) {
  std::unordered_map<std::uint64_t, std::vector<PlaceRef>> held;
  for (const auto& grid : before)
    each_cell(grid, [&](const PlaceRef& place, const Cell& cell, std::size_t) {
      if (has_identity(cell)) held[identity(cell)].push_back(place);
    });
  const Shuffles shuffles = shuffles_between(trace, from_step, to_step);

  std::vector<results::Move> moves;
  for (std::size_t g = 0; g < after.size(); ++g)
    each_cell(after[g], [&](const PlaceRef& to, const Cell& cell, std::size_t i) {
      if (!has_identity(cell)) return;
      const Cell* was = g < before.size() && i < before[g].cells.size() ? &before[g].cells[i] : nullptr;
      if (was && has_identity(*was) && identity(*was) == identity(cell)) return;
      const auto sources = held.find(identity(cell));
      if (sources == held.end()) return;
      const PlaceRef& from = *std::ranges::max_element(
          sources->second, {}, [&](const PlaceRef& candidate) { return preference(shuffles, candidate, to); });
      moves.push_back({from, to});
    });
  return moves;
}

std::string statement_words(const layout::Assignment& before, const layout::Assignment& after) {
  std::vector<PhysicalBit> changed;
  for (int p = 0; p < layout::place_count; ++p) {
    const auto place = static_cast<Place>(p);
    if (before.bits(place) != after.bits(place)) return "";
    for (int i = 0; i < after.bits(place); ++i)
      if ((*before.row(place))[static_cast<std::size_t>(i)] != (*after.row(place))[static_cast<std::size_t>(i)])
        changed.push_back({place, i});
  }
  if (changed.size() != 2) return "";
  const auto term = [](const layout::Assignment& a, PhysicalBit bit) {
    return (*a.row(bit.place))[static_cast<std::size_t>(bit.index)];
  };
  if (term(before, changed[0]) != term(after, changed[1]) || term(before, changed[1]) != term(after, changed[0]))
    return "";
  return fmt::format("{} <-> {} ({})", layout::to_string(changed[0]), layout::to_string(changed[1]),
                     name_of_exchange(changed[0].place, changed[1].place));
}

std::int64_t statement_begin(const trace::Trace& t, std::int64_t step, std::uint32_t warp) {
  int line = 0;
  std::int64_t first = step;
  for (std::int64_t i = step; i >= 0; --i) {
    const trace::StepRecord& s = t.steps[static_cast<std::size_t>(i)];
    if (s.warp != warp) continue;
    const int here = s.pc < t.code.size() ? t.code[s.pc].line : 0;
    if (here != 0 && line != 0 && here != line) break;
    if (line == 0) line = here;
    first = i;
  }
  return first;
}

}  // namespace lanescope::engine
