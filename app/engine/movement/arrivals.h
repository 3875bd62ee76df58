#pragma once
// The sources of each written cell: the cells of the rows before that held its value, or its operands.

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "app/engine/movement/movement_rows.h"
#include "app/engine/movement/shown_registers.h"
#include "app/engine/values/span_flow.h"

namespace lanescope::engine {

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

}  // namespace lanescope::engine
