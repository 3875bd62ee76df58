#pragma once
// The movement of a statement: every cell that it read or wrote, before and after, and for every written cell the
// sources of its value. A warp that reverses its lanes, v = __shfl_sync(~0u, v, 31 - lane):
//
//   row 0  register v, lanes 0..31   before: a0 a1 .. a31   after: a31 a30 .. a0
//   flow   row 0 column 31 -> row 0 column 0, and so on: 32 of them
//
// A load is a flow from a memory row to a register row, a store the other way round, q[i] = p[i] one from memory to
// memory that a lane carries. A sum has several flows to one cell.

#include <cstdint>
#include <string>
#include <vector>

#include "results/element_set.h"

namespace lanescope::results {

/// One element-sized part of one register in one lane.
struct Cell {
  std::uint32_t value = 0;    ///< right-aligned bits
  std::uint32_t element = 0;  ///< number of the element in its buffer
  std::int8_t buffer = -1;
  std::uint8_t kind = 0;  ///< trace::ElementTag::Kind
  bool defined = false, changed = false;
  std::uint16_t sources = 0;  ///< distinct elements it depends on
  std::int32_t set = -1;      ///< which ones, if several: into Moment::sets, or Movement::sets
};

/// Cells side by side: a part of a register in the 32 lanes of a warp, or 128 bytes of memory.
struct MovementRow {
  enum class Region : std::uint8_t { registers, shared, global };
  Region region = Region::registers;
  int family = -1, reg = 0, part = 0, parts = 1;  ///< of registers: as RegisterGrid
  int buffer = -1;                                ///< of global memory
  std::uint64_t line = 0;              ///< of memory: 128-byte line from the start of the buffer or of shared memory
  int cell_bits = 32;                  ///< 1 to 64; memory rows have 1024 / cell_bits columns
  bool read = false, written = false;  ///< by the statement
  /// One each per column. Of global memory only what the statement read is known before and what it touched after; the
  /// other cells are undefined, and so is what is beyond the end.
  std::vector<Cell> before{}, after{};
};

/// One value that flows into a cell. A written cell has one flow, or several if its value was combined.
struct Flow {
  enum class Kind : std::uint8_t {
    moved,     ///< it is the value of the source cell, unchanged
    part,      ///< it was computed from that (and from the cell's other flows)
    appeared,  ///< it comes from no cell: a constant, a thread number, or a source that is not known
  };
  Kind kind = Kind::moved;
  std::int32_t from_row = -1, to_row = -1;  ///< into Movement::rows; from_row -1: appeared
  std::uint16_t from_column = 0, to_column = 0;
  std::uint8_t lane = 0;  ///< that wrote it
  bool operator==(const Flow&) const = default;
};

struct Movement {
  std::int64_t from = -1, to = -1;  ///< the states after these steps
  std::uint32_t warp = 0;
  int first_line = 0, line = 0;  ///< of the statement, or of the statements that together make one exchange
  std::vector<MovementRow> rows{};
  std::vector<Flow> flows{};       ///< ascending to_row, to_column
  std::vector<ElementSet> sets{};  ///< of Cell::set in these rows
  std::uint32_t overwritten = 0;   ///< cells whose old value is in no cell of these rows afterwards
  std::string refused{};           ///< not empty: why there are no flows
};

}  // namespace lanescope::results
