#include "app/engine/movement/movement_rows.h"

#include <algorithm>

#include "kernels/base/set_bits.h"

namespace lanescope::engine {

using results::Cell;
using results::Flow;
using Leaf = SpanFlow::Leaf;
using Word = FamilyWord;

void Arrivals::add_register_sources(const Leaf& leaf, int wanted_family, std::vector<Source>& to) {
  const ShownRegisters::Words* words = shown_.of(leaf.reg);
  if (words == nullptr) return;
  // Variables that show the same register hold the same: the one that is written itself, else the newest.
  std::map<int, std::pair<std::uint64_t, Word>> best;  // by word of a 64-bit register
  for (const auto& [at, word] : *words) {
    const int half = rows_.is_wide(word.family) ? word.number % 2 : 0;
    auto& chosen = best.try_emplace(half, at, word).first->second;
    const bool own = word.family == wanted_family, had = chosen.second.family == wanted_family;
    if (own != had ? own : at > chosen.first) chosen = {at, word};
  }
  for (const auto& [half, chosen] : best) {
    const Word word = chosen.second;
    const auto& before = rows_.grids(word.family).first;
    const bool wide = rows_.is_wide(word.family);
    if (wide && half == 1 && best.contains(0)) continue;  // one cell for both words
    const int reg = wide ? word.number / 2 : word.number;
    for (int part = 0; part < before.parts; ++part)
      to.push_back({.row = rows_.register_row(word.family, reg, part),
                    .column = leaf.lane,
                    .offset = part * before.element_bits,
                    .bits = before.element_bits,
                    .cell = before.at(0, reg, part, leaf.lane)});
  }
}

void Arrivals::add_memory_sources(const Leaf& leaf, std::vector<Source>& to) {
  const trace::AccessRecord& r = rows_.record(leaf.record);
  const auto at = rows_.place_of(r, r.addresses[leaf.lane] + static_cast<std::uint64_t>(leaf.first));
  if (!at) return;
  const int bits = rows_.memory_bits(at->first), bytes = bits / 8;
  const auto from = at->second / static_cast<unsigned>(bytes) * static_cast<unsigned>(bytes);
  for (std::uint64_t byte = from; byte < at->second + static_cast<std::uint64_t>(leaf.bytes);
       byte += static_cast<std::uint64_t>(bytes)) {
    const int offset = static_cast<int>(static_cast<std::int64_t>(byte) - static_cast<std::int64_t>(at->second));
    const auto cell = rows_.accessed(r, leaf.lane, leaf.first + offset, bits);
    if (!cell) continue;
    const Source source{.row = rows_.memory_row(at->first, byte / 128),
                        .column = static_cast<int>(byte % 128) / bytes,
                        .offset = offset * 8 + leaf.bit,
                        .bits = bits,
                        .cell = *cell};
    if (at->first >= 0) rows_.put(source.row, source.column, *cell, false, leaf.record);
    to.push_back(source);
  }
}

void Arrivals::arrive(Flow to, const Cell& cell, int offset, int bits, const SpanFlow::Value& value, int family) {
  std::vector<Source> sources;
  for (const Leaf& leaf : flow_.leaves(value.set)) {
    if (leaf.kind == Leaf::Kind::live_in)
      add_register_sources(leaf, family, sources);
    else
      add_memory_sources(leaf, sources);
  }
  const auto key = std::pair(to.to_row, to.to_column);
  flows_.erase(key);  // the last write counts
  std::vector<Flow>& out = flows_[key];
  const auto add = [&](const Source& s, Flow::Kind kind) {
    to.kind = kind, to.from_row = s.row, to.from_column = static_cast<std::uint16_t>(s.column);
    if (std::ranges::find(out, to) != out.end()) return;
    out.push_back(to);
    rows_.at(s.row).read = true;
  };
  const auto in_position = [&](const Source& s) { return s.offset == offset && s.bits == bits; };
  const auto best = [&](auto fits) -> const Source* {
    const Source* found = nullptr;
    for (const Source& s : sources)
      if (fits(s) && (found == nullptr || (!in_position(*found) && in_position(s)))) found = &s;
    return found;
  };
  // Its own element, unchanged; then the same bits where they were only copied.
  if (has_element(cell))
    if (const Source* s =
            best([&](const Source& c) { return same_element(c.cell, cell) && c.cell.value == cell.value; }))
      return add(*s, Flow::Kind::moved);
  if (value.copied || bits < 32)
    if (const Source* s = best([&](const Source& c) {
          return in_position(c) && same_content(c.cell, cell) && (value.copied || carries_data(cell));
        }))
      return add(*s, Flow::Kind::moved);
  // Computed: all sources that took part. A cell that carries data depends on data only.
  const bool data = carries_data(cell);
  for (const Source& s : sources) {
    if (!s.cell.defined || (data && !carries_data(s.cell))) continue;
    if (has_element(cell) && !same_element(s.cell, cell)) continue;
    if (s.bits == bits && s.offset != offset && !has_element(cell)) continue;  // another part
    add(s, Flow::Kind::part);
  }
  if (!out.empty()) return;
  if (has_element(cell) && arrive_by_element(to, cell, value.known, out)) return;
  to.kind = Flow::Kind::appeared, to.from_row = -1, to.from_column = 0;
  out.push_back(to);
}

bool Arrivals::arrive_by_element(Flow to, const Cell& cell, bool known, std::vector<Flow>& out) {
  if (!everything_known_) index_elements();
  const auto found = held_.find(std::pair(cell.buffer, cell.element));
  if (found == held_.end()) return false;
  const std::uint32_t lanes = flow_.lanes_read(to.lane) | std::uint32_t{1} << to.lane;
  const auto rank = [&](const Held& h) { return h.memory ? 2 : (lanes >> h.column & 1) != 0 ? 1 : 0; };
  const Held& h = *std::ranges::max_element(found->second, {}, rank);
  if (known && rank(h) == 0) return false;  // no instruction led from that lane to this one
  const int number = h.memory ? rows_.memory_row(h.family, h.line) : rows_.register_row(h.family, h.reg, h.part);
  if (h.memory && h.family >= 0) rows_.put(number, h.column, h.cell, false, h.record);
  to.kind = h.cell.value == cell.value ? Flow::Kind::moved : Flow::Kind::part;
  to.from_row = number, to.from_column = static_cast<std::uint16_t>(h.column);
  rows_.at(number).read = true;
  out.push_back(to);
  return true;
}

void Arrivals::index_elements() {
  everything_known_ = true;
  const auto enter = [&](const Held& h) {
    if (has_element(h.cell)) held_[std::pair(h.cell.buffer, h.cell.element)].push_back(h);
  };
  for (int number = 0; number < static_cast<int>(s_.families.size()); ++number) {
    const auto& before = rows_.grids(number).first;
    for (int reg = 0; reg < before.registers; ++reg)
      for (int part = 0; part < before.parts; ++part)
        for (int lane = 0; lane < trace::lanes_per_warp; ++lane)
          enter({.family = number, .reg = reg, .part = part, .column = lane, .cell = before.at(0, reg, part, lane)});
  }
  for (std::size_t i = t_.accesses.count_until(span_.from); i < t_.accesses.count_until(span_.to); ++i) {
    const trace::AccessRecord& r = rows_.record(i);
    if (t_.steps[r.step].warp != span_.warp || r.kind != trace::AccessKind::load) continue;
    for (const std::size_t lane : set_bits(r.mask)) {
      const auto at = rows_.place_of(r, r.addresses[lane]);
      if (!at) continue;
      const int bits = rows_.memory_bits(at->first), bytes = bits / 8;
      for (int first = 0; first + bytes <= r.width_bytes; first += bytes) {
        const auto cell = rows_.accessed(r, static_cast<int>(lane), first, bits);
        const std::uint64_t byte = at->second + static_cast<std::uint64_t>(first);
        if (cell && byte % static_cast<unsigned>(bytes) == 0)
          enter({.memory = true,
                 .family = at->first,
                 .line = byte / 128,
                 .column = static_cast<int>(byte % 128) / bytes,
                 .cell = *cell,
                 .record = i});
      }
    }
  }
}

}  // namespace lanescope::engine
