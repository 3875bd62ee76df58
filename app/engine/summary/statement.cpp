#include "app/engine/summary/moment.h"

#include <fmt/format.h>

namespace lanescope::engine {
namespace {

using layout::PhysicalBit;
using layout::Place;

/// What an exchange of bits of these two rows is called (the inner one first).
std::string name_of_exchange(Place inner, Place outer) {
  if (outer == Place::block) return "exchange between blocks";
  if (outer == Place::warp) return "transpose between warps";
  if (outer == Place::thread) return inner == Place::thread ? "lane exchange" : "warp transpose";
  return inner == outer ? (inner == Place::reg ? "registers renamed" : "halves exchanged") : "local transpose";
}

}  // namespace

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
