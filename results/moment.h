#pragma once
// One step of the recorded block: registers, moves between places, the access and shared memory.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "kernels/layout/assignment.h"
#include "kernels/trace/trace.h"
#include "results/access.h"
#include "results/movement.h"
#include "results/value_tree.h"

namespace lanescope::results {

struct RegisterGrid {
  int family = 0;
  int element_bits = 32, parts = 1, registers = 1, warps = 1, first_warp = 0;
  std::vector<Cell> cells;  ///< [warp][register][part][lane], lane fastest
  const Cell& at(int warp, int reg, int part, int lane) const {
    return cells[((static_cast<std::size_t>(warp) * registers + reg) * parts + part) * 32 + lane];
  }
};

struct PlaceRef {
  int family = 0;
  int warp = 0, reg = 0, part = 0, lane = 0;
  auto operator<=>(const PlaceRef&) const = default;
};
struct Move {
  PlaceRef from, to;
};

/// A cell of a buffer that a store wrote.
struct ArrivedCell {
  int buffer = 0;
  std::uint64_t byte = 0;  ///< from the start of the buffer
  int bits = 32;           ///< 8 to 64
  Cell cell{};
};

/// Everything about one step of the recorded block.
struct Moment {
  std::int64_t step = -1;  ///< -1: before the first
  std::uint32_t block = 0, warp = 0, active = 0;
  int pc = -1, line = 0;
  std::vector<RegisterGrid> grids;  ///< the requested register arrays, in the order of the request
  std::vector<Move> moves;          ///< between `moves_from` and this step
  std::int64_t moves_from = -1;
  std::optional<AccessInfo> access;  ///< of this step, or else the last access of this warp's line
  /// Cells of buffers that `access` wrote: each once, ascending by buffer and byte. Cells are elements of the buffer;
  /// parts of a byte and elements of 128 bits come in words.
  std::vector<ArrivedCell> arrived{};
  std::optional<AccessTotals> totals{};   ///< if requested: over the recorded block of the instrumented run
  std::vector<trace::SharedByte> shared;  ///< words of the block's shared memory; empty when it has none
  std::vector<Cell> shared_cells;         ///< one per word of `shared` (element identity)
  // the assignment view: the claim of the register array nearest at or before this step, and the actual assignment
  int assignment_family = -1;
  std::optional<layout::Assignment> claimed, real;
  std::string real_words;  ///< or why it is not known
  int claimed_line = 0;
  /// The bits that the statement of this step exchanges, "r0 <-> t2 (warp transpose)"; empty: it exchanges none, or it
  /// is not known.
  std::string statement_words;
  int statement_first_line = 0;     ///< where that exchange began, if statements before this one are part of it; else 0
  std::vector<ElementSet> sets{};   ///< of Cell::set
  std::optional<ValueTree> tree{};  ///< if requested
  std::optional<Movement> movement{};    ///< if requested: of the statement that ends with this step
  std::optional<PlaceRef> tree_place{};  ///< the register that it is of; nothing: of none, or not of this step
};

}  // namespace lanescope::results
