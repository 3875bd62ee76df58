#pragma once
// The rows of a movement: registers in the 32 lanes and 128-byte lines of memory, each before and after, created on the
// first request.

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
#include "results/cell.h"
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

}  // namespace lanescope::engine
