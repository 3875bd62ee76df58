#include "app/engine/summary/movement.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "app/engine/summary/cells.h"
#include "app/engine/summary/statement.h"
#include "app/engine/values/span_flow.h"
#include "kernels/base/set_bits.h"

namespace lanescope::engine {
namespace {

using results::Cell;
using results::Flow;
using results::Movement;
using results::MovementRow;
using Leaf = SpanFlow::Leaf;
using Region = MovementRow::Region;
using TagKind = trace::ElementTag::Kind;

constexpr int row_bits = 1024;
/// How far back the instruction that copied a register is looked for.
constexpr std::int64_t most_steps_back = 4096;
/// How often the beginning is looked for further back.
constexpr int most_rounds = 8;

bool has_element(const Cell& c) {
  const auto kind = static_cast<TagKind>(c.kind);
  return c.defined && c.buffer >= 0 && (kind == TagKind::exact || kind == TagKind::computed);
}
bool same_element(const Cell& a, const Cell& b) {
  return has_element(a) && has_element(b) && a.buffer == b.buffer && a.element == b.element;
}
bool carries_data(const Cell& c) { return c.defined && static_cast<TagKind>(c.kind) != TagKind::none; }
/// One can stand for the other.
bool same_content(const Cell& a, const Cell& b) {
  if (!a.defined || !b.defined || a.value != b.value) return false;
  return !has_element(a) || !has_element(b) || (a.buffer == b.buffer && a.element == b.element);
}

/// Grain of a memory row whose elements have so many bits: parts of a byte and 128-bit ones travel in words.
int grain(int element_bits) {
  return element_bits == 8 || element_bits == 16 || element_bits == 64 ? element_bits : 32;
}

/// What the instructions of the instrumented program do, by pc.
struct Instructions {
  explicit Instructions(const RunState& s)
      : facts(instruction_facts(s.prepared.probed.module, entry_of(s.prepared.probed, s.recorded()->trace.launch))),
        probed(probed_registers(s.prepared.probed.module, entry_of(s.prepared.probed, s.recorded()->trace.launch))) {}
  std::vector<InstructionFacts> facts;
  std::vector<InstructionFacts::Source> probed;
};

struct Span {
  std::int64_t from = -1, to = -1;  ///< states
  std::int64_t written_from = 0;    ///< what was written before that step is on the way only
  std::uint32_t warp = 0;
  int only_family = -1;  ///< -1: of all arrays, and of memory
};

class Mover {
 public:
  Mover(const RunState& s, const Instructions& program, const Span& span)
      : s_(s),
        t_(s.recorded()->trace),
        block_(s.request.record_block),
        span_(span),
        facts_(program.facts),
        probed_(program.probed),
        flow_(t_, facts_, probed_, span.from, span.to, span.warp),
        sets_(t_.tags) {
    m_.from = span.from, m_.to = span.to, m_.warp = span.warp;
    m_.refused = flow_.refused();
  }

  /// The newest step before the span that computed a value which the span writes, of those that no variable shows; -1: none
  /// has to be looked for.
  std::int64_t computed_before() {
    if (!flow_.refused().empty()) return -1;
    find_shown();
    std::set<RegisterKey> unknown;
    const auto ask = [&](const SpanFlow::Value& value) {
      for (const Leaf& leaf : flow_.leaves(value.set))
        if (leaf.kind == Leaf::Kind::live_in && !shown_in_.contains(leaf.reg)) unknown.insert(leaf.reg);
    };
    for (const SpanFlow::Shown& shown : flow_.shown())
      if (is_written(t_.probes.step(shown.record)))
        for (const SpanFlow::Value& value : shown.values) ask(value);
    for (const SpanFlow::Stored& stored : flow_.stored())
      if (is_written(t_.accesses.step(stored.record)))
        for (const SpanFlow::Value& value : stored.values) ask(value);
    const std::int64_t end = std::max<std::int64_t>(m_.from - most_steps_back, -1);
    for (std::int64_t i = m_.from; i > end && !unknown.empty(); --i) {
      const trace::StepRecord& step = t_.steps[static_cast<std::size_t>(i)];
      if (step.warp != m_.warp || step.pc >= facts_.size()) continue;
      const InstructionFacts& f = facts_[step.pc];
      for (const RegisterKey reg : f.results) {
        if (unknown.erase(reg) == 0) continue;
        const bool made = std::ranges::any_of(f.sources, [](const auto& source) { return source.is_register; });
        if (made || f.kind == InstructionFacts::Kind::load || f.kind == InstructionFacts::Kind::opaque) return i;
      }
    }
    return -1;
  }

  Movement run() {
    if (!m_.refused.empty()) return std::move(m_);
    if (t_.shared_bytes > 0)
      shared_before_ = t_.shared_at(m_.from, block_), shared_after_ = t_.shared_at(m_.to, block_);
    choose_grains();
    find_shown();
    for (const SpanFlow::Stored& stored : flow_.stored())
      if (is_written(t_.accesses.step(stored.record))) store(stored);
    for (const auto& [word, values] : last_shown()) write_registers(word, values);
    fill_memory();
    stay();
    check();
    if (span_.only_family < 0) leave_out_unmoved();
    finish();
    return std::move(m_);
  }

 private:
  struct Word {
    int family = 0, number = 0;  ///< in Family::words
    auto operator<=>(const Word&) const = default;
  };
  struct Source {
    int row = 0, column = 0, offset = 0, bits = 32;  ///< bits of the value that the cell holds, from `offset`
    Cell cell;
  };
  using Values = std::array<std::optional<SpanFlow::Value>, trace::lanes_per_warp>;

  bool is_written(std::uint64_t step) const { return static_cast<std::int64_t>(step) >= span_.written_from; }

  // --- what there is ------------------------------------------------------------------------------------------------

  const Family& family(int number) const { return s_.families[static_cast<std::size_t>(number)]; }

  void choose_grains() {
    for (std::size_t i = t_.accesses.count_until(m_.from); i < t_.accesses.count_until(m_.to); ++i) {
      if (t_.steps[t_.accesses.step(i)].warp != m_.warp) continue;
      const trace::AccessRecord r = t_.accesses[i];
      if (r.space == trace::MemorySpace::global) touches_memory_ = true;
      if (r.space != trace::MemorySpace::shared) continue;
      touches_memory_ = true;
      int bits = r.width_bytes < 4 ? r.width_bytes * 8 : 32;
      for (const std::size_t lane : set_bits(r.mask)) {
        if (lane >= r.tags.size() || r.tags[lane] == trace::no_data) continue;
        const auto sources = t_.tags.sources(r.tags[lane], 0, 32);
        if (sources.empty()) continue;
        bits = grain(t_.tags.space.buffers[static_cast<std::size_t>(sources.front().first)].element_bits);
        break;
      }
      shared_bits_ = shared_bits_ == 0 ? bits : std::min(shared_bits_, bits);
    }
    if (shared_bits_ == 0) shared_bits_ = 32;
  }

  /// Both states of a family, in cells of the same size.
  const std::pair<results::RegisterGrid, results::RegisterGrid>& grids(int number) {
    const auto found = grids_.find(number);
    if (found != grids_.end()) return found->second;
    GridQuestion question{
        .step = m_.to, .block = block_, .first_warp = static_cast<int>(m_.warp), .warp_count = 1, .element_bits = {}};
    question.sets = &sets_;
    const Family& f = family(number);
    auto after = register_grid(t_, f, number, *s_.prepared.source, question);
    // Data that came to memory or from there moves in words where an element is a part of a byte.
    if (after.element_bits < 8 && touches_memory_) {
      question.element_bits = 32;
      after = register_grid(t_, f, number, *s_.prepared.source, question);
    }
    question.step = m_.from;
    question.element_bits = after.element_bits;
    auto before = register_grid(t_, f, number, *s_.prepared.source, question);
    return grids_.emplace(number, std::pair(std::move(before), std::move(after))).first->second;
  }
  bool is_wide(int number) { return grids(number).second.element_bits == 64; }

  /// Which register of the program each word of a variable shows at the beginning.
  void find_shown() {
    if (std::exchange(shown_known_, true)) return;
    std::set<RegisterKey> wanted;
    for (std::uint32_t set = 1; set < flow_.set_count(); ++set)
      for (const Leaf& leaf : flow_.leaves(set))
        if (leaf.kind == Leaf::Kind::live_in) wanted.insert(leaf.reg);
    // What was unpacked or copied before the span shows the register that it came from, too.
    std::map<RegisterKey, RegisterKey> copy_of;
    for (const InstructionFacts& f : facts_)
      if (f.kind == InstructionFacts::Kind::copy && f.op != "prmt" && f.sources.size() == 1 && f.sources[0].is_register)
        for (const RegisterKey result : f.results) copy_of[result] = f.sources[0].reg;
    for (int number = 0; number < static_cast<int>(s_.families.size()); ++number)
      for (int n = 0; n < static_cast<int>(family(number).words.size()); ++n) {
        const auto states = t_.registers_at(m_.from, block_, family(number).words[static_cast<std::size_t>(n)]);
        if (m_.warp >= states.size() || states[m_.warp].defined == 0) continue;
        const trace::WordState& state = states[m_.warp];
        const std::uint64_t at = state.written_at;
        if (at >= t_.steps.size()) continue;
        const std::uint32_t pc = t_.steps[at].pc;
        if (pc >= probed_.size() || !probed_[pc].is_register) continue;
        RegisterKey reg = probed_[pc].reg;
        shown_in_[reg].push_back({at, {number, n}});
        for (int hops = 0; hops < 3; ++hops) {
          const auto copied = copy_of.find(reg);
          if (copied == copy_of.end()) break;
          reg = copied->second;
          if (!wanted.contains(reg) || written_since(reg, static_cast<std::int64_t>(at), m_.from)) break;
          shown_in_[reg].push_back({at, {number, n}});
        }
      }
    // A register that a copy wrote since is what it was copied from: the variable of a loop.
    for (const RegisterKey reg : wanted)
      if (!shown_in_.contains(reg)) follow_copy(reg);
  }

  bool written_since(RegisterKey reg, std::int64_t after, std::int64_t until) const {
    if (until - after > most_steps_back) return true;
    for (std::int64_t i = until; i > after; --i) {
      const trace::StepRecord& step = t_.steps[static_cast<std::size_t>(i)];
      if (step.warp == m_.warp && step.pc < facts_.size() &&
          std::ranges::find(facts_[step.pc].results, reg) != facts_[step.pc].results.end())
        return true;
    }
    return false;
  }

  void follow_copy(RegisterKey reg) {
    RegisterKey now = reg;
    std::int64_t before = m_.from;
    for (int hops = 0; hops < 3; ++hops) {
      std::int64_t i = before;
      const std::int64_t end = std::max<std::int64_t>(before - most_steps_back, -1);
      const InstructionFacts* f = nullptr;
      for (; i > end && f == nullptr; --i) {
        const trace::StepRecord& step = t_.steps[static_cast<std::size_t>(i)];
        if (step.warp == m_.warp && step.pc < facts_.size() &&
            std::ranges::find(facts_[step.pc].results, now) != facts_[step.pc].results.end())
          f = &facts_[step.pc];
      }
      if (f == nullptr || f->kind != InstructionFacts::Kind::copy || f->op == "prmt" || f->sources.size() != 1 ||
          f->results.size() != 1 || !f->sources[0].is_register)
        return;
      now = f->sources[0].reg, before = i;
      const auto found = shown_in_.find(now);
      if (found == shown_in_.end()) continue;
      if (!written_since(now, i, m_.from)) shown_in_[reg] = found->second;
      return;
    }
  }

  // --- rows ---------------------------------------------------------------------------------------------------------

  int row(const std::tuple<Region, int, std::uint64_t, int>& key, MovementRow&& made) {
    const auto [found, fresh] = row_numbers_.try_emplace(key, static_cast<int>(m_.rows.size()));
    if (fresh) m_.rows.push_back(std::move(made));
    return found->second;
  }

  int register_row(int number, int reg, int part) {
    const auto key = std::tuple(Region::registers, number, static_cast<std::uint64_t>(reg), part);
    if (const auto found = row_numbers_.find(key); found != row_numbers_.end()) return found->second;
    const auto& [before, after] = grids(number);
    MovementRow r{.region = Region::registers,
                  .family = number,
                  .reg = reg,
                  .part = part,
                  .parts = after.parts,
                  .cell_bits = after.element_bits};
    for (int lane = 0; lane < trace::lanes_per_warp; ++lane) {
      r.before.push_back(before.at(0, reg, part, lane));
      r.after.push_back(after.at(0, reg, part, lane));
    }
    return row(key, std::move(r));
  }

  int memory_bits(int buffer) const {
    return buffer < 0 ? shared_bits_ : grain(t_.buffers[static_cast<std::size_t>(buffer)].element_bits);
  }
  /// `buffer` -1: shared memory.
  int memory_row(int buffer, std::uint64_t line) {
    MovementRow r{.region = buffer < 0 ? Region::shared : Region::global,
                  .buffer = buffer,
                  .line = line,
                  .cell_bits = memory_bits(buffer)};
    r.before.resize(static_cast<std::size_t>(row_bits / r.cell_bits));
    r.after = r.before;
    return row({r.region, buffer, line, 0}, std::move(r));
  }

  /// (buffer, byte offset); buffer -1: shared memory.
  std::optional<std::pair<int, std::uint64_t>> place_of(const trace::AccessRecord& r, std::uint64_t address) const {
    if (r.space == trace::MemorySpace::shared) return std::pair(-1, address);
    return t_.locate(address);
  }

  /// The bytes [first, first + bits / 8) of what a lane accessed; nothing where it accessed only a part.
  std::optional<Cell> accessed(const trace::AccessRecord& r, int lane, int first, int bits) {
    if (first < 0 || first * 8 + bits > r.width_bytes * 8) return std::nullopt;
    const auto word = [&](int byte) {
      return static_cast<std::size_t>(byte / 4) * trace::lanes_per_warp + static_cast<std::size_t>(lane);
    };
    const auto tag = [&](std::size_t w) { return w < r.tags.size() ? r.tags[w] : trace::no_data; };
    const std::size_t w = word(first);
    if (w >= r.values.size()) return std::nullopt;
    if (bits == 64) {
      const std::size_t high = word(first + 4);
      if (high >= r.values.size()) return std::nullopt;
      return wide_word_cell(t_.tags, r.values[w], tag(w), r.values[high], tag(high), &sets_);
    }
    return word_cell(t_.tags, r.values[w], tag(w), first % 4 * 8, bits, &sets_);
  }

  const trace::AccessRecord& record(std::size_t index) {
    const auto found = records_.find(index);
    return found != records_.end() ? found->second : records_.emplace(index, t_.accesses[index]).first->second;
  }

  // --- where a value came from ----------------------------------------------------------------------------------------

  void add_register_sources(const Leaf& leaf, int wanted_family, std::vector<Source>& to) {
    const auto found = shown_in_.find(leaf.reg);
    if (found == shown_in_.end()) return;
    // Variables that show the same register hold the same: the one that is written itself, else the newest.
    std::map<int, std::pair<std::uint64_t, Word>> best;  // by word of a 64-bit register
    for (const auto& [at, word] : found->second) {
      const int half = is_wide(word.family) ? word.number % 2 : 0;
      auto& chosen = best.try_emplace(half, at, word).first->second;
      const bool own = word.family == wanted_family, had = chosen.second.family == wanted_family;
      if (own != had ? own : at > chosen.first) chosen = {at, word};
    }
    for (const auto& [half, chosen] : best) {
      const Word word = chosen.second;
      const auto& before = grids(word.family).first;
      const bool wide = is_wide(word.family);
      if (wide && half == 1 && best.contains(0)) continue;  // one cell for both words
      const int reg = wide ? word.number / 2 : word.number;
      for (int part = 0; part < before.parts; ++part)
        to.push_back({.row = register_row(word.family, reg, part),
                      .column = leaf.lane,
                      .offset = part * before.element_bits,
                      .bits = before.element_bits,
                      .cell = before.at(0, reg, part, leaf.lane)});
    }
  }

  void add_memory_sources(const Leaf& leaf, std::vector<Source>& to) {
    const trace::AccessRecord& r = record(leaf.record);
    if (r.matrix > 0) return;
    const auto at = place_of(r, r.addresses[leaf.lane] + static_cast<std::uint64_t>(leaf.first));
    if (!at) return;
    const int bits = memory_bits(at->first), bytes = bits / 8;
    const auto from = at->second / static_cast<unsigned>(bytes) * static_cast<unsigned>(bytes);
    for (std::uint64_t byte = from; byte < at->second + static_cast<std::uint64_t>(leaf.bytes);
         byte += static_cast<std::uint64_t>(bytes)) {
      const int offset = static_cast<int>(static_cast<std::int64_t>(byte) - static_cast<std::int64_t>(at->second));
      const auto cell = accessed(r, leaf.lane, leaf.first + offset, bits);
      if (!cell) continue;
      const Source source{.row = memory_row(at->first, byte / 128),
                          .column = static_cast<int>(byte % 128) / bytes,
                          .offset = offset * 8,
                          .bits = bits,
                          .cell = *cell};
      if (at->first >= 0) put(source.row, source.column, *cell, false, leaf.record);
      to.push_back(source);
    }
  }

  /// What the statement read or wrote of global memory is all that is known of it; what it read back is not what was there.
  void put(int number, int column, const Cell& cell, bool writes, std::size_t record) {
    MovementRow& r = m_.rows[static_cast<std::size_t>(number)];
    const auto c = static_cast<std::size_t>(column);
    if (c >= r.before.size()) return;
    const auto stored = stored_at_.find({number, column});
    if (writes) {
      r.after[c] = cell;
      if (stored == stored_at_.end()) stored_at_[{number, column}] = record;
    } else if (stored == stored_at_.end() || record < stored->second) {
      if (!r.before[c].defined) r.before[c] = cell;
      if (!r.after[c].defined) r.after[c] = cell;
    }
  }

  /// Of the cell `to` with bits [offset, offset + bits) of a value. `family`: that it is of; -1: none.
  void arrive(Flow to, const Cell& cell, int offset, int bits, const SpanFlow::Value& value, int family) {
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
      m_.rows[static_cast<std::size_t>(s.row)].read = true;
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
    // Computed: everything that took part. What carries data depends on data only.
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

  /// Instructions that are not followed (ldmatrix, calls): the element was in what the warp read, or in its registers. `known`:
  /// all were followed, and a register was that no variable shows.
  bool arrive_by_element(Flow to, const Cell& cell, bool known, std::vector<Flow>& out) {
    if (!everything_known_) index_elements();
    const auto found = held_.find(std::pair(cell.buffer, cell.element));
    if (found == held_.end()) return false;
    const std::uint32_t lanes = flow_.lanes_read(to.lane) | std::uint32_t{1} << to.lane;
    const auto rank = [&](const Held& h) { return h.memory ? 2 : (lanes >> h.column & 1) != 0 ? 1 : 0; };
    const Held& h = *std::ranges::max_element(found->second, {}, rank);
    if (known && rank(h) == 0) return false;  // no instruction led from that lane to this one
    const int number = h.memory ? memory_row(h.family, h.line) : register_row(h.family, h.reg, h.part);
    if (h.memory && h.family >= 0) put(number, h.column, h.cell, false, h.record);
    to.kind = h.cell.value == cell.value ? Flow::Kind::moved : Flow::Kind::part;
    to.from_row = number, to.from_column = static_cast<std::uint16_t>(h.column);
    m_.rows[static_cast<std::size_t>(number)].read = true;
    out.push_back(to);
    return true;
  }

  void index_elements() {
    everything_known_ = true;
    const auto enter = [&](const Held& h) {
      if (has_element(h.cell)) held_[std::pair(h.cell.buffer, h.cell.element)].push_back(h);
    };
    for (int number = 0; number < static_cast<int>(s_.families.size()); ++number) {
      const auto& before = grids(number).first;
      for (int reg = 0; reg < before.registers; ++reg)
        for (int part = 0; part < before.parts; ++part)
          for (int lane = 0; lane < trace::lanes_per_warp; ++lane)
            enter({.family = number, .reg = reg, .part = part, .column = lane, .cell = before.at(0, reg, part, lane)});
    }
    for (std::size_t i = t_.accesses.count_until(m_.from); i < t_.accesses.count_until(m_.to); ++i) {
      const trace::AccessRecord& r = record(i);
      if (t_.steps[r.step].warp != m_.warp || r.kind != trace::AccessKind::load) continue;
      for (const std::size_t lane : set_bits(r.mask)) {
        const auto at = place_of(r, r.addresses[lane]);
        if (!at) continue;
        const int bits = memory_bits(at->first), bytes = bits / 8;
        for (int first = 0; first + bytes <= r.width_bytes; first += bytes) {
          const auto cell = accessed(r, static_cast<int>(lane), first, bits);
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

  // --- what was written ----------------------------------------------------------------------------------------------

  std::map<Word, Values> last_shown() {
    std::map<trace::VariableWord, Word> words;
    for (int number = 0; number < static_cast<int>(s_.families.size()); ++number) {
      if (span_.only_family >= 0 && number != span_.only_family) continue;
      const auto& all = family(number).words;
      for (std::size_t n = 0; n < all.size(); ++n) words[all[n]] = {number, static_cast<int>(n)};
    }
    std::map<Word, Values> last;
    for (const SpanFlow::Shown& shown : flow_.shown()) {
      if (!is_written(t_.probes.step(shown.record))) continue;
      const auto word = words.find({t_.probes.variable(shown.record), t_.probes.byte_offset(shown.record)});
      if (word == words.end()) continue;
      Values& values = last[word->second];
      for (const std::size_t lane : set_bits(t_.probes.mask(shown.record))) values[lane] = shown.values[lane];
    }
    return last;
  }

  void write_registers(const Word& word, const Values& values) {
    const bool wide = is_wide(word.family);
    const auto& after = grids(word.family).second;
    if (wide && word.number % 2 == 1) return;  // its low word says where both came from
    const int reg = wide ? word.number / 2 : word.number;
    if (reg >= after.registers) return;
    for (int part = 0; part < after.parts; ++part) {
      const int number = register_row(word.family, reg, part);
      m_.rows[static_cast<std::size_t>(number)].written = true;
      for (int lane = 0; lane < trace::lanes_per_warp; ++lane) {
        const auto& value = values[static_cast<std::size_t>(lane)];
        const Cell& cell = after.at(0, reg, part, lane);
        if (!value || !cell.defined) continue;
        arrive(
            {.to_row = number, .to_column = static_cast<std::uint16_t>(lane), .lane = static_cast<std::uint8_t>(lane)},
            cell, part * after.element_bits, after.element_bits, *value, word.family);
      }
    }
  }

  void store(const SpanFlow::Stored& stored) {
    if (span_.only_family >= 0) return;
    const trace::AccessRecord& r = record(stored.record);
    for (const std::size_t lane : set_bits(r.mask)) {
      const auto at = place_of(r, r.addresses[lane]);
      if (!at) continue;
      const int bits = memory_bits(at->first), bytes = bits / 8;
      // In cells that it wrote whole; a smaller write changes the cell around it.
      std::uint64_t byte = at->second / static_cast<unsigned>(bytes) * static_cast<unsigned>(bytes);
      for (; byte < at->second + static_cast<unsigned>(r.width_bytes); byte += static_cast<unsigned>(bytes)) {
        const int first = static_cast<int>(static_cast<std::int64_t>(byte) - static_cast<std::int64_t>(at->second));
        const int number = memory_row(at->first, byte / 128), column = static_cast<int>(byte % 128) / bytes;
        MovementRow& row = m_.rows[static_cast<std::size_t>(number)];
        row.written = true;
        const auto cell = accessed(r, static_cast<int>(lane), first, bits);
        if (cell && at->first >= 0) put(number, column, *cell, true, stored.record);
        const Flow to{
            .to_row = number, .to_column = static_cast<std::uint16_t>(column), .lane = static_cast<std::uint8_t>(lane)};
        const std::size_t element = static_cast<std::size_t>(std::max(first, 0) / stored.element_bytes);
        const std::size_t n = element * trace::lanes_per_warp + lane;
        const bool matrix = r.matrix > 0 || n >= stored.values.size();
        const SpanFlow::Value none{.known = false};
        const Cell held = cell.value_or(Cell{});
        arrive(to, held,
               first - static_cast<int>(element) * stored.element_bytes < 0
                   ? 0
                   : (first - static_cast<int>(element) * stored.element_bytes) * 8,
               bits, matrix ? none : stored.values[n], -1);
      }
    }
  }

  // --- the whole ------------------------------------------------------------------------------------------------------

  void fill_memory() {
    for (MovementRow& r : m_.rows) {
      if (r.region != Region::shared) continue;
      const auto columns = r.before.size();
      for (std::size_t c = 0; c < columns; ++c) {
        const std::size_t byte = static_cast<std::size_t>(r.line) * 128 + c * static_cast<std::size_t>(r.cell_bits) / 8;
        r.before[c] = shared_cell(shared_before_, byte, r.cell_bits);
        r.after[c] = shared_cell(shared_after_, byte, r.cell_bits);
      }
    }
  }
  Cell shared_cell(const std::vector<trace::SharedByte>& words, std::size_t byte, int bits) {
    const std::size_t w = byte / 4;
    if (w >= words.size() || !words[w].written) return {};
    if (bits < 64)
      return word_cell(t_.tags, words[w].value, words[w].tag, static_cast<int>(byte % 4 * 8), bits, &sets_);
    if (w + 1 >= words.size() || !words[w + 1].written) return {};
    return wide_word_cell(t_.tags, words[w].value, words[w].tag, words[w + 1].value, words[w + 1].tag, &sets_);
  }

  /// What a written row holds that the statement did not write stays; what another warp wrote meanwhile appears.
  void stay() {
    for (std::size_t n = 0; n < m_.rows.size(); ++n) {
      const MovementRow& r = m_.rows[n];
      if (r.region == Region::global) continue;
      for (std::size_t c = 0; c < r.after.size(); ++c) {
        const auto key = std::pair(static_cast<std::int32_t>(n), static_cast<std::uint16_t>(c));
        if (!r.after[c].defined || flows_.contains(key)) continue;
        const bool same = same_content(r.before[c], r.after[c]);
        if (same && !(r.region == Region::registers && r.written)) continue;
        flows_[key] = {{.kind = same ? Flow::Kind::moved : Flow::Kind::appeared,
                        .from_row = same ? key.first : -1,
                        .to_row = key.first,
                        .from_column = same ? key.second : std::uint16_t{0},
                        .to_column = key.second,
                        .lane = static_cast<std::uint8_t>(r.region == Region::registers ? c : 0)}};
      }
    }
  }

  /// A value that is said to have moved is there before and after. Where the statement itself stored what it read back, it is
  /// not there before.
  void check() {
    for (auto& [key, flows] : flows_)
      for (Flow& f : flows) {
        if (f.kind == Flow::Kind::appeared) continue;
        const Cell& before = m_.rows[static_cast<std::size_t>(f.from_row)].before[f.from_column];
        const Cell& after = m_.rows[static_cast<std::size_t>(f.to_row)].after[f.to_column];
        if (!before.defined)
          f.kind = Flow::Kind::appeared, f.from_row = -1, f.from_column = 0;
        else if (f.kind == Flow::Kind::moved && !same_content(before, after))
          f.kind = Flow::Kind::part;
      }
  }

  /// A probe shows whole arrays: registers that the statement neither changed nor read are not its business.
  void leave_out_unmoved() {
    std::vector<bool> moved(m_.rows.size(), false);
    for (const auto& [key, flows] : flows_)
      for (const Flow& f : flows) {
        const bool self = f.from_row == f.to_row && f.from_column == f.to_column && f.kind == Flow::Kind::moved;
        if (self) continue;
        moved[static_cast<std::size_t>(f.to_row)] = true;
        if (f.from_row >= 0) moved[static_cast<std::size_t>(f.from_row)] = true;
      }
    if (std::ranges::find(moved, true) == moved.end()) return;
    std::vector<std::int32_t> number(m_.rows.size(), -1);
    std::vector<MovementRow> rows;
    for (std::size_t n = 0; n < m_.rows.size(); ++n) {
      if (!moved[n]) continue;
      number[n] = static_cast<std::int32_t>(rows.size());
      rows.push_back(std::move(m_.rows[n]));
    }
    m_.rows = std::move(rows);
    std::map<std::pair<std::int32_t, std::uint16_t>, std::vector<Flow>> kept;
    for (auto& [key, flows] : flows_) {
      const std::int32_t row = number[static_cast<std::size_t>(key.first)];
      if (row < 0) continue;
      for (Flow& f : flows) {
        f.to_row = row;
        if (f.from_row >= 0) f.from_row = number[static_cast<std::size_t>(f.from_row)];
      }
      kept.emplace(std::pair(row, key.second), std::move(flows));
    }
    flows_ = std::move(kept);
  }

  void finish() {
    for (auto& [key, flows] : flows_) {
      const bool any = std::ranges::any_of(flows, [](const Flow& f) { return f.kind != Flow::Kind::appeared; });
      bool appeared = false;
      for (const Flow& f : flows) {
        if (f.kind == Flow::Kind::appeared && (any || appeared)) continue;
        appeared = f.kind == Flow::Kind::appeared;
        m_.flows.push_back(f);
      }
    }
    std::set<std::pair<int, std::uint32_t>> there;
    for (const MovementRow& r : m_.rows)
      for (const Cell& c : r.after)
        if (has_element(c)) there.insert({c.buffer, c.element});
    for (const MovementRow& r : m_.rows)
      for (std::size_t c = 0; c < r.before.size(); ++c)
        if (r.written && has_element(r.before[c]) && !there.contains({r.before[c].buffer, r.before[c].element}))
          ++m_.overwritten;
    m_.sets = sets_.take();
  }

  struct Held {
    bool memory = false;
    int family = -1, reg = 0, part = 0;  ///< of memory: family is the buffer
    std::uint64_t line = 0;
    int column = 0;
    Cell cell;
    std::size_t record = 0;  ///< of memory
  };

  const RunState& s_;
  const trace::Trace& t_;
  std::uint32_t block_;
  Span span_;
  const std::vector<InstructionFacts>& facts_;
  const std::vector<InstructionFacts::Source>& probed_;
  SpanFlow flow_;
  ElementSets sets_;
  Movement m_;
  bool touches_memory_ = false, everything_known_ = false, shown_known_ = false;
  int shared_bits_ = 0;
  std::vector<trace::SharedByte> shared_before_, shared_after_;
  std::map<int, std::pair<results::RegisterGrid, results::RegisterGrid>> grids_;
  std::map<RegisterKey, std::vector<std::pair<std::uint64_t, Word>>> shown_in_;
  std::map<std::tuple<Region, int, std::uint64_t, int>, int> row_numbers_;
  std::map<std::size_t, trace::AccessRecord> records_;
  std::map<std::pair<int, int>, std::size_t> stored_at_;  ///< by row and column of global memory: the first store
  std::map<std::pair<std::int32_t, std::uint16_t>, std::vector<Flow>> flows_;
  std::map<std::pair<std::int8_t, std::uint32_t>, std::vector<Held>> held_;
};

int line_at(const trace::Trace& t, std::int64_t step) {
  const std::uint32_t pc = t.steps[static_cast<std::size_t>(step)].pc;
  return pc < t.code.size() ? t.code[pc].line : 0;
}

/// The first step of the warp's newest visit of a line, at or before `step`.
std::int64_t visit_begin(const trace::Trace& t, std::int64_t step, std::uint32_t warp, int line) {
  for (std::int64_t i = step; i >= 0; --i)
    if (t.steps[static_cast<std::size_t>(i)].warp == warp && line_at(t, i) == line) return statement_begin(t, i, warp);
  return -1;
}

/// The movement of all statements from step `begin` on that together exchange bits of one array: its registers only. Where values
/// waited in other registers the statements that put them there belong to it, too. nullopt: it is not known where they begin.
std::optional<Movement> exchange(const RunState& state, const Instructions& program, const results::Moment& moment,
                                 std::int64_t begin) {
  const trace::Trace& t = state.recorded()->trace;
  const int family = moment.assignment_family;
  std::optional<Movement> found;
  for (int round = 0; round < most_rounds && begin >= 0; ++round) {
    Movement m =
        Mover(state, program,
              {.from = begin - 1, .to = moment.step, .written_from = begin, .warp = moment.warp, .only_family = family})
            .run();
    if (!m.refused.empty()) break;
    m.first_line = line_at(t, begin), m.line = moment.line;
    bool own = true, was_there = false;
    for (const MovementRow& r : m.rows) {
      own = own && (r.family == family || !r.read);
      for (const Cell& c : r.before) was_there = was_there || (r.family == family && c.defined);
    }
    if (own || round == 0) found = std::move(m);
    // From another array: that is the exchange. From helpers: it began earlier.
    if (own || !was_there) break;
    std::int64_t earlier = begin - 1;
    while (earlier >= 0 && t.steps[static_cast<std::size_t>(earlier)].warp != moment.warp) --earlier;
    if (earlier < 0) break;
    begin = statement_begin(t, earlier, moment.warp);
  }
  return found;
}

}  // namespace

Movement movement_of(const RunState& state, const results::Moment& moment, MomentRequest::MovementOf which) {
  const trace::Trace& t = state.recorded()->trace;
  Movement none;
  none.from = none.to = moment.step;
  if (moment.step < 0 || t.steps.empty()) return none.refused = "the first step has not been executed yet", none;
  const std::uint32_t warp = moment.warp;
  std::int64_t begin = instance_begin(t, moment.step, warp);
  const int line = line_at(t, begin) > 0 ? line_at(t, begin) : moment.line;
  const Instructions program(state);
  if (which == MomentRequest::MovementOf::exchange && moment.statement_first_line > 0) {
    const std::int64_t earlier = visit_begin(t, begin, warp, moment.statement_first_line);
    if (earlier >= 0 && earlier <= begin)
      if (auto m = exchange(state, program, moment, earlier)) return *std::move(m);
  }
  // What the statement writes may have been computed before: an expression of several lines, a loop whose body has no
  // braces. Then the movement begins where that did.
  const std::int64_t written_from = begin;
  for (int round = 0; round < most_rounds; ++round) {
    Mover mover(state, program, {.from = begin - 1, .to = moment.step, .written_from = written_from, .warp = warp});
    const std::int64_t earlier = mover.computed_before();
    if (earlier >= 0 && earlier < begin && round + 1 < most_rounds) {
      begin = statement_begin(t, earlier, warp);
      continue;
    }
    Movement m = mover.run();
    const int first = line_at(t, begin);
    m.line = moment.line > 0 ? moment.line : line;
    m.first_line = first > 0 && first < m.line && begin < written_from ? first : m.line;
    return m;
  }
  return none;
}

}  // namespace lanescope::engine
