
#include <algorithm>
#include <array>
#include <set>

#include "app/engine/movement/movement_rows.h"
#include "kernels/base/set_bits.h"

namespace lanescope::engine {
namespace {

using results::Cell;
using results::Flow;
using results::Movement;
using results::MovementRow;
using Region = MovementRow::Region;
using Word = FamilyWord;

class Mover {
 public:
  Mover(const RunState& s, const SpanFlow& flow, const ShownRegisters& shown, const MovementSpan& span)
      : s_(s),
        t_(s.recorded()->trace),
        span_(span),
        flow_(flow),
        rows_(s, span),
        arrivals_(s, rows_, shown, flow, span) {
    m_.from = span.from, m_.to = span.to, m_.warp = span.warp;
  }

  Movement run() {
    for (const SpanFlow::Stored& stored : flow_.stored())
      if (span_.writes_at(t_.accesses.step(stored.record))) store(stored);
    for (const auto& [word, values] : last_shown()) write_registers(word, values);
    rows_.fill_memory();
    stay();
    check();
    if (span_.only_family < 0) leave_out_unmoved();
    finish();
    return std::move(m_);
  }

 private:
  using Values = std::array<std::optional<SpanFlow::Value>, trace::lanes_per_warp>;

  const Family& family(int number) const { return s_.families[static_cast<std::size_t>(number)]; }

  std::map<Word, Values> last_shown() {
    std::map<trace::VariableWord, Word> words;
    for (int number = 0; number < static_cast<int>(s_.families.size()); ++number) {
      if (span_.only_family >= 0 && number != span_.only_family) continue;
      const auto& all = family(number).words;
      for (std::size_t n = 0; n < all.size(); ++n) words[all[n]] = {number, static_cast<int>(n)};
    }
    std::map<Word, Values> last;
    for (const SpanFlow::Shown& shown : flow_.shown()) {
      if (!span_.writes_at(t_.probes.step(shown.record))) continue;
      const auto word = words.find({t_.probes.variable(shown.record), t_.probes.byte_offset(shown.record)});
      if (word == words.end()) continue;
      Values& values = last[word->second];
      for (const std::size_t lane : set_bits(t_.probes.mask(shown.record))) values[lane] = shown.values[lane];
    }
    return last;
  }

  void write_registers(const Word& word, const Values& values) {
    const bool wide = rows_.is_wide(word.family);
    const auto& after = rows_.grids(word.family).second;
    if (wide && word.number % 2 == 1) return;  // its low word says where both came from
    const int reg = wide ? word.number / 2 : word.number;
    if (reg >= after.registers) return;
    for (int part = 0; part < after.parts; ++part) {
      const int number = rows_.register_row(word.family, reg, part);
      rows_.at(number).written = true;
      for (int lane = 0; lane < trace::lanes_per_warp; ++lane) {
        const auto& value = values[static_cast<std::size_t>(lane)];
        const Cell& cell = after.at(0, reg, part, lane);
        if (!value || !cell.defined) continue;
        arrivals_.arrive(
            {.to_row = number, .to_column = static_cast<std::uint16_t>(lane), .lane = static_cast<std::uint8_t>(lane)},
            cell, part * after.element_bits, after.element_bits, *value, word.family);
      }
    }
  }

  void store(const SpanFlow::Stored& stored) {
    if (span_.only_family >= 0) return;
    const trace::AccessRecord& r = rows_.record(stored.record);
    for (const std::size_t lane : set_bits(r.mask)) {
      const auto at = rows_.place_of(r, r.addresses[lane]);
      if (!at) continue;
      const int bits = rows_.memory_bits(at->first), bytes = bits / 8;
      // In cells that it wrote whole; a smaller write changes the cell around it.
      std::uint64_t byte = at->second / static_cast<unsigned>(bytes) * static_cast<unsigned>(bytes);
      for (; byte < at->second + static_cast<unsigned>(r.width_bytes); byte += static_cast<unsigned>(bytes)) {
        const int first = static_cast<int>(static_cast<std::int64_t>(byte) - static_cast<std::int64_t>(at->second));
        const int number = rows_.memory_row(at->first, byte / 128), column = static_cast<int>(byte % 128) / bytes;
        MovementRow& row = rows_.at(number);
        row.written = true;
        const auto cell = rows_.accessed(r, static_cast<int>(lane), first, bits);
        if (cell && at->first >= 0) rows_.put(number, column, *cell, true, stored.record);
        const Flow to{
            .to_row = number, .to_column = static_cast<std::uint16_t>(column), .lane = static_cast<std::uint8_t>(lane)};
        const std::size_t element = static_cast<std::size_t>(std::max(first, 0) / stored.element_bytes);
        const std::size_t n = element * trace::lanes_per_warp + lane;
        const SpanFlow::Value value = n < stored.values.size() ? stored.values[n] : SpanFlow::Value{.known = false};
        const int into = std::max(first - static_cast<int>(element) * stored.element_bytes, 0) * 8;
        arrivals_.arrive(to, cell.value_or(Cell{}), into + value.bit, bits, value, -1);
      }
    }
  }

  /// Cells of a written row that the statement did not write stay; values that another warp wrote meanwhile appear.
  void stay() {
    for (std::size_t n = 0; n < rows_.all().size(); ++n) {
      const MovementRow& r = rows_.all()[n];
      if (r.region == Region::global) continue;
      for (std::size_t c = 0; c < r.after.size(); ++c) {
        const auto key = std::pair(static_cast<std::int32_t>(n), static_cast<std::uint16_t>(c));
        if (!r.after[c].defined || arrivals_.flows().contains(key)) continue;
        const bool same = same_content(r.before[c], r.after[c]);
        if (same && !(r.region == Region::registers && r.written)) continue;
        arrivals_.flows()[key] = {{.kind = same ? Flow::Kind::moved : Flow::Kind::appeared,
                                   .from_row = same ? key.first : -1,
                                   .to_row = key.first,
                                   .from_column = same ? key.second : std::uint16_t{0},
                                   .to_column = key.second,
                                   .lane = static_cast<std::uint8_t>(r.region == Region::registers ? c : 0)}};
      }
    }
  }

  /// A value that counts as moved is there before and after. Where the statement itself stored what it read back, it is
  /// not there before.
  void check() {
    for (auto& [key, flows] : arrivals_.flows())
      for (Flow& f : flows) {
        if (f.kind == Flow::Kind::appeared) continue;
        const Cell& before = rows_.at(f.from_row).before[f.from_column];
        const Cell& after = rows_.at(f.to_row).after[f.to_column];
        if (!before.defined)
          f.kind = Flow::Kind::appeared, f.from_row = -1, f.from_column = 0;
        else if (f.kind == Flow::Kind::moved && !same_content(before, after))
          f.kind = Flow::Kind::part;
      }
  }

  /// A probe shows whole arrays: registers that the statement neither changed nor read are not its business.
  void leave_out_unmoved() {
    std::vector<bool> moved(rows_.all().size(), false);
    for (const auto& [key, flows] : arrivals_.flows())
      for (const Flow& f : flows) {
        const bool self = f.from_row == f.to_row && f.from_column == f.to_column && f.kind == Flow::Kind::moved;
        if (self) continue;
        moved[static_cast<std::size_t>(f.to_row)] = true;
        if (f.from_row >= 0) moved[static_cast<std::size_t>(f.from_row)] = true;
      }
    if (std::ranges::find(moved, true) == moved.end()) return;
    std::vector<std::int32_t> number(rows_.all().size(), -1);
    std::vector<MovementRow> rows;
    for (std::size_t n = 0; n < rows_.all().size(); ++n) {
      if (!moved[n]) continue;
      number[n] = static_cast<std::int32_t>(rows.size());
      rows.push_back(std::move(rows_.all()[n]));
    }
    rows_.all() = std::move(rows);
    std::map<std::pair<std::int32_t, std::uint16_t>, std::vector<Flow>> kept;
    for (auto& [key, flows] : arrivals_.flows()) {
      const std::int32_t row = number[static_cast<std::size_t>(key.first)];
      if (row < 0) continue;
      for (Flow& f : flows) {
        f.to_row = row;
        if (f.from_row >= 0) f.from_row = number[static_cast<std::size_t>(f.from_row)];
      }
      kept.emplace(std::pair(row, key.second), std::move(flows));
    }
    arrivals_.flows() = std::move(kept);
  }

  void finish() {
    for (auto& [key, flows] : arrivals_.flows()) {
      const bool any = std::ranges::any_of(flows, [](const Flow& f) { return f.kind != Flow::Kind::appeared; });
      bool appeared = false;
      for (const Flow& f : flows) {
        if (f.kind == Flow::Kind::appeared && (any || appeared)) continue;
        appeared = f.kind == Flow::Kind::appeared;
        m_.flows.push_back(f);
      }
    }
    std::set<std::pair<int, std::uint32_t>> there;
    for (const MovementRow& r : rows_.all())
      for (const Cell& c : r.after)
        if (has_element(c)) there.insert({c.buffer, c.element});
    for (const MovementRow& r : rows_.all())
      for (std::size_t c = 0; c < r.before.size(); ++c)
        if (r.written && has_element(r.before[c]) && !there.contains({r.before[c].buffer, r.before[c].element}))
          ++m_.overwritten;
    m_.sets = rows_.take_sets();
    m_.rows = std::move(rows_.all());
  }

  const RunState& s_;
  const trace::Trace& t_;
  MovementSpan span_;
  const SpanFlow& flow_;
  MovementRows rows_;
  Arrivals arrivals_;
  Movement m_;
};

}  // namespace

Movement move(const RunState& state, const SpanFlow& flow, const ShownRegisters& shown, const MovementSpan& span) {
  if (flow.refused().empty()) return Mover(state, flow, shown, span).run();
  return Movement{.from = span.from, .to = span.to, .warp = span.warp, .refused = flow.refused()};
}

}  // namespace lanescope::engine
