#pragma once
// A movement and its rows: registers in the 32 lanes and 128-byte lines of memory, each before and after, created on the
// first request.

#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "app/engine/summary/cells.h"
#include "app/engine/summary/run_state.h"
#include "app/engine/values/instruction_facts.h"
#include "app/engine/values/span_flow.h"
#include "kernels/trace/trace.h"
#include "results/movement.h"

namespace lanescope::engine {

// The part of a recorded block whose movement is requested, and the effects of its instructions.

struct MovementSpan {
  std::int64_t from = -1, to = -1;  ///< states
  std::int64_t written_from = 0;    ///< values written before that step are intermediate
  std::uint32_t warp = 0;
  int only_family = -1;  ///< -1: of all arrays, and of memory
  bool writes_at(std::uint64_t step) const { return static_cast<std::int64_t>(step) >= written_from; }
};

/// Effects of the instructions of the instrumented program, by pc.
struct Instructions {
  explicit Instructions(const RunState& s)
      : facts(instruction_facts(s.prepared.probed.module, entry_of(s.prepared.probed, s.recorded()->trace.launch))),
        probed(probed_registers(s.prepared.probed.module, entry_of(s.prepared.probed, s.recorded()->trace.launch))) {}
  SpanFlow flow(const trace::Trace& trace, const MovementSpan& span) const {
    return {trace, facts, probed, span.from, span.to, span.warp};
  }
  std::vector<InstructionFacts> facts;
  std::vector<InstructionFacts::Source> probed;
};

// Which registers of the program the words of variables show at the beginning of a span.

/// Of a variable.
struct FamilyWord {
  int family = 0, number = 0;  ///< in Family::words
  auto operator<=>(const FamilyWord&) const = default;
};

class ShownRegisters {
 public:
  using Words = std::vector<std::pair<std::uint64_t, FamilyWord>>;  ///< with the step that wrote each

  ShownRegisters(const RunState& state, const Instructions& program, const SpanFlow& flow, const MovementSpan& span);

  /// The words that show a register; nullptr: none does.
  const Words* of(RegisterKey reg) const {
    const auto found = shown_in_.find(reg);
    return found == shown_in_.end() ? nullptr : &found->second;
  }
  /// The newest step before the span that computed a value which the span writes, of those that no variable shows; -1:
  /// no search is needed.
  std::int64_t computed_before() const;

 private:
  void find_shown();
  bool written_since(RegisterKey reg, std::int64_t after, std::int64_t until) const;
  void follow_copy(RegisterKey reg);
  const Family& family(int number) const { return s_.families[static_cast<std::size_t>(number)]; }

  const RunState& s_;
  const trace::Trace& t_;
  const Instructions& program_;
  const SpanFlow& flow_;
  MovementSpan span_;
  std::map<RegisterKey, Words> shown_in_;
};

/// Largest distance of the search for the instruction that copied a register.
inline constexpr std::int64_t most_steps_back = 4096;

class MovementRows {
 public:
  using Region = results::MovementRow::Region;

  MovementRows(const RunState& state, const MovementSpan& span);

  std::vector<results::MovementRow>& all() { return rows_; }
  results::MovementRow& at(int number) { return rows_[static_cast<std::size_t>(number)]; }
  std::vector<results::ElementSet> take_sets() { return sets_.take(); }

  /// Both states of a family, in cells of the same size.
  const std::pair<results::RegisterGrid, results::RegisterGrid>& grids(int number);
  bool is_wide(int number) { return grids(number).second.element_bits == 64; }
  int register_row(int number, int reg, int part);

  /// Bits of a cell. `buffer` -1: shared memory.
  int memory_bits(int buffer) const;
  int memory_row(int buffer, std::uint64_t line);
  /// (buffer, byte offset); buffer -1: shared memory.
  std::optional<std::pair<int, std::uint64_t>> place_of(const trace::AccessRecord& r, std::uint64_t address) const;
  const trace::AccessRecord& record(std::size_t index);  ///< of Trace::accesses
  /// The bytes [first, first + bits / 8) of what a lane accessed; nothing where it accessed only a part.
  std::optional<results::Cell> accessed(const trace::AccessRecord& r, int lane, int first, int bits);
  /// Only the accesses of the statement show contents of global memory; a value that it wrote before reading is no old
  /// value.
  void put(int number, int column, const results::Cell& cell, bool writes, std::size_t record);
  /// The rows of shared memory, once all are made.
  void fill_memory();

 private:
  void choose_grains();
  int row(const std::tuple<Region, int, std::uint64_t, int>& key, results::MovementRow&& made);
  results::Cell shared_cell(const std::vector<trace::SharedByte>& words, std::size_t byte, int bits);
  const Family& family(int number) const { return s_.families[static_cast<std::size_t>(number)]; }

  const RunState& s_;
  const trace::Trace& t_;
  std::uint32_t block_;
  MovementSpan span_;
  ElementSets sets_;
  std::vector<results::MovementRow> rows_;
  bool touches_memory_ = false;
  int shared_bits_ = 0;
  std::vector<trace::SharedByte> shared_before_, shared_after_;
  std::map<int, std::pair<results::RegisterGrid, results::RegisterGrid>> grids_;
  std::map<std::tuple<Region, int, std::uint64_t, int>, int> row_numbers_;
  std::map<std::size_t, trace::AccessRecord> records_;
  std::map<std::pair<int, int>, std::size_t> stored_at_;  ///< by row and column of global memory: the first store
};

// Contents of cells, for deciding whether two are equal.

inline bool has_element(const results::Cell& c) {
  using Kind = trace::ElementTag::Kind;
  const auto kind = static_cast<Kind>(c.kind);
  return c.defined && c.buffer >= 0 && (kind == Kind::exact || kind == Kind::computed);
}
inline bool same_element(const results::Cell& a, const results::Cell& b) {
  return has_element(a) && has_element(b) && a.buffer == b.buffer && a.element == b.element;
}
inline bool carries_data(const results::Cell& c) {
  return c.defined && static_cast<trace::ElementTag::Kind>(c.kind) != trace::ElementTag::Kind::none;
}
inline bool same_content(const results::Cell& a, const results::Cell& b) {
  if (!a.defined || !b.defined || a.value != b.value) return false;
  return !has_element(a) || !has_element(b) || (a.buffer == b.buffer && a.element == b.element);
}

// The sources of each written cell: the cells of the rows before that held its value, or its operands.

class Arrivals {
 public:
  /// By row and column of the cell that is written.
  using Flows = std::map<std::pair<std::int32_t, std::uint16_t>, std::vector<results::Flow>>;

  Arrivals(const RunState& state, MovementRows& rows, const ShownRegisters& shown, const SpanFlow& flow,
           const MovementSpan& span)
      : s_(state), t_(state.recorded()->trace), rows_(rows), shown_(shown), flow_(flow), span_(span) {}

  /// Of the cell `to` with bits [offset, offset + bits) of a value. `family`: that it is of; -1: none.
  void arrive(results::Flow to, const results::Cell& cell, int offset, int bits, const SpanFlow::Value& value,
              int family);
  Flows& flows() { return flows_; }

 private:
  struct Source {
    int row = 0, column = 0, offset = 0, bits = 32;  ///< bits of the value that the cell holds, from `offset`
    results::Cell cell;
  };
  struct Held {
    bool memory = false;
    int family = -1, reg = 0, part = 0;  ///< of memory: family is the buffer
    std::uint64_t line = 0;
    int column = 0;
    results::Cell cell;
    std::size_t record = 0;  ///< of memory
  };

  void add_register_sources(const SpanFlow::Leaf& leaf, int wanted_family, std::vector<Source>& to);
  void add_memory_sources(const SpanFlow::Leaf& leaf, std::vector<Source>& to);
  /// For instructions that are not followed (ldmatrix, calls): the element was in memory that the warp read, or in its
  /// registers. `known`: all were followed, and one register belongs to no variable.
  bool arrive_by_element(results::Flow to, const results::Cell& cell, bool known, std::vector<results::Flow>& out);
  void index_elements();

  const RunState& s_;
  const trace::Trace& t_;
  MovementRows& rows_;
  const ShownRegisters& shown_;
  const SpanFlow& flow_;
  MovementSpan span_;
  Flows flows_;
  bool everything_known_ = false;
  std::map<std::pair<std::int8_t, std::uint32_t>, std::vector<Held>> held_;
};

// A span of instructions of one warp as a movement: its rows, and the sources of all written values.

/// `flow`: of the same span. Lines are left to the caller.
results::Movement move(const RunState& state, const SpanFlow& flow, const ShownRegisters& shown,
                       const MovementSpan& span);

}  // namespace lanescope::engine
