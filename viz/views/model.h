#pragma once
// What views draw: plain values that say everything about a run (Summary) and about one moment of it (Moment). They come
// from the engine, in this process or over a pipe, and contain no pointers into traces.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "kernels/base/diagnostic.h"
#include "kernels/claims/claims.h"
#include "kernels/layout/assignment.h"
#include "kernels/trace/trace.h"

namespace lanescope::views {

struct BufferInfo {
  std::string name, element_type;
  int element_bits = 32;
  std::uint64_t bytes = 0, elements = 0, address = 0;
  std::vector<source::Axis> axes;  ///< slowest first
};

/// A named group of registers: x0..x3, an array, a vector, a scalar.
struct FamilyInfo {
  std::string name, function;
  std::vector<std::string> registers;  ///< display name of each 32-bit register: "x0", "v.x", "a[2]"
  int first_line = 0;
};

struct ClaimInfo {
  source::Claim claim;
  claims::ClaimResult result;
};

/// Predicted counters of the plain run, per line (line 0: total).
struct LineCounters {
  int line = 0;
  std::uint64_t instructions = 0, thread_instructions = 0;
  std::uint64_t global_requests = 0, global_sectors = 0, shared_requests = 0, shared_wavefronts = 0, bank_conflicts = 0;
  std::uint64_t shuffles = 0, barriers = 0;
};

/// One cell of the timeline: what a warp did in one step.
struct TimelineMark {
  std::uint32_t step = 0;
  std::uint16_t warp = 0;
  trace::StepKind kind = trace::StepKind::other;
  std::int32_t line = 0;
  std::int32_t pc = -1;  ///< into Summary::code
};

/// Branches of one line, and how many lanes its instructions ran with (line 0: total).
struct LineDivergence {
  int line = 0;
  std::uint64_t branches = 0, divergent_branches = 0;
  std::array<std::uint64_t, 33> instructions_by_lanes{};  ///< warp instructions that ran with so many lanes
};

/// Something the review found, with what a click on it shows.
struct FindingInfo {
  std::string rule, message, remedy;
  int line = 0, column = 0;
  Severity severity = Severity::warning;
  std::int64_t block = -1;  ///< of the evidence; -1: no access is shown
  int warp = -1;
  std::uint32_t lanes = 0;  ///< active ones
  bool shared = false;
  int width_bytes = 0;  ///< per lane; 0: no access is shown
  std::string buffer;
  std::array<std::uint64_t, 32> offsets{};  ///< bytes from the buffer's (shared memory's) start
  bool expected = false;                    ///< a `lanescope: expect` comment of the file says that it is known
};

/// What one block of the shown launch asks of its multiprocessor, and what the compiler gave each thread.
struct ResourceInfo {
  int registers = -1;    ///< per thread; -1: not known (nothing assembled the PTX)
  int spill_bytes = -1;  ///< per thread, stored and loaded again; -1: not known
  int local_bytes = -1;  ///< per thread, spills included; -1: not known
  int static_shared_bytes = 0, dynamic_shared_bytes = 0;
  int threads_per_block = 0;
  int launch_bounds_threads = 0, launch_bounds_blocks = 0;  ///< 0: not stated
  std::uint64_t blocks = 0;
};

/// What the shown launch computes and moves, for the roofline (counters/operations.h says what counts).
struct WorkInfo {
  std::uint64_t fp32_operations = 0, fp64_operations = 0;
  std::uint64_t global_bytes = 0;  ///< of sectors moved, both ways
};

/// The kernel compiled under a cap of registers per thread.
struct CapInfo {
  int cap = 0;                                             ///< 0: as it is
  int registers = -1, spill_bytes = -1, local_bytes = -1;  ///< per thread, as in ResourceInfo
  std::string refused{};                                   ///< why there are no numbers
};

struct Summary {
  std::string file, kernel, engine, arch, compiler;  ///< engine: "emulator"
  trace::Dim3 grid, block;
  std::vector<BufferInfo> buffers;
  std::vector<FamilyInfo> families;
  std::vector<ClaimInfo> claims;
  std::vector<LineCounters> counters;
  std::vector<trace::CodeSite> code;   ///< by pc of the probed program, which `timeline` and Moment::pc number
  std::vector<TimelineMark> timeline;  ///< of the recorded block, ascending step
  std::uint64_t steps = 0;             ///< of the recorded block
  std::uint32_t recorded_block = 0, warps = 0, shared_bytes = 0;
  std::vector<std::string> inferred;  ///< what the header left out and what was assumed
  std::vector<std::string> notices;   ///< "probes split the 16-byte load of line 12 into four", ...
  Diagnostics diagnostics;            ///< compile errors and warnings, faults
  bool ok = false;                    ///< there is a run to look at
  ResourceInfo resources{};
  WorkInfo work{};
  /// The plain program of the same kernel, which a GPU runs and counters are about; empty where only the probed one ran.
  std::vector<trace::CodeSite> plain_code{};
  std::vector<LineCounters> pc_counters{};   ///< by pc, as `plain_code`, of all launches of this kernel
  std::vector<std::int32_t> plain_pcs{};     ///< by pc, as `code`: where it stands in `plain_code`; -1: nowhere
  std::vector<std::uint8_t> active_lanes{};  ///< one per mark of `timeline`: lanes that ran it; empty: not known
  std::vector<FindingInfo> findings{};       ///< of the review, ascending line; empty also where none was asked for
  std::vector<LineDivergence> divergence{};  ///< ascending line; empty: not known
};

/// A datum: one element-sized part of one register in one lane.
struct Cell {
  std::uint32_t value = 0;    ///< right-aligned bits
  std::uint32_t element = 0;  ///< number of the element in its buffer
  std::int8_t buffer = -1;
  std::uint8_t kind = 0;  ///< trace::ElementTag::Kind
  bool defined = false, changed = false;
  std::uint16_t sources = 0;  ///< distinct elements it depends on
};

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

struct AccessInfo {
  trace::MemorySpace space = trace::MemorySpace::global;
  trace::AccessKind kind = trace::AccessKind::load;
  int width_bytes = 4, line = 0, warp = 0, buffer = -1;
  std::uint32_t mask = 0;
  std::array<std::uint64_t, 32> offsets{};  ///< bytes from the buffer's (or shared memory's) start
  std::uint64_t requests = 0, sectors = 0, lines = 0, wavefronts = 0, ideal_wavefronts = 0, bank_conflicts = 0;
  std::uint64_t bytes_wanted = 0, bytes_moved = 0;
  bool on_gpu = false;  ///< lanes and addresses as a GPU used them; else the emulator's
};

/// How often one line of 128 bytes was moved, as the accesses of a line of code or of a whole run add up.
struct LineTouches {
  std::uint64_t line = 0;                  ///< from the buffer's start
  std::uint64_t transactions = 0;          ///< requests that touch it: 128 bytes each where loads go through L1
  std::array<std::uint64_t, 4> sectors{};  ///< requests that touch each of its 32-byte sectors
  std::array<std::uint32_t, 4> used{};     ///< bytes of each that any lane ever asked for, by bit
  std::uint64_t bytes_wanted = 0;          ///< distinct bytes of each request, summed
};
struct AccessTotals {
  int buffer = -1, code_line = 0;  ///< code_line 0: the whole run
  std::uint64_t requests = 0, loads = 0, stores = 0;
  std::vector<LineTouches> lines{};  ///< ascending
};

/// Everything about one step of the recorded block.
struct Moment {
  std::int64_t step = -1;  ///< -1: before the first
  std::uint32_t block = 0, warp = 0, active = 0;
  int pc = -1, line = 0;
  std::vector<RegisterGrid> grids;  ///< the families asked for, in that order
  std::vector<Move> moves;          ///< between `moves_from` and this step
  std::int64_t moves_from = -1;
  std::optional<AccessInfo> access;       ///< of this step, or else the last access of this warp's line
  std::optional<AccessTotals> totals{};   ///< where they were asked for: over the recorded block of the probed run
  std::vector<trace::SharedByte> shared;  ///< words of the block's shared memory; empty when it has none
  std::vector<Cell> shared_cells;         ///< one per word of `shared` (element identity)
  // the assignment view: the family's claim nearest at or before this step, and what is really there
  int assignment_family = -1;
  std::optional<layout::Assignment> claimed, real;
  std::string real_words;  ///< or why there is none
  int claimed_line = 0;
  std::string statement_words;  ///< what it exchanges, "r0 <-> t2 (warp transpose)"; empty when not known
};

/// The one thing that links all views. Every field is optional: -1 or nullopt is "nothing".
struct Selection {
  std::int64_t step = -1;
  int line = -1;
  int family = -1;
  std::optional<PlaceRef> place;                         ///< register cell
  std::optional<std::pair<int, std::uint64_t>> element;  ///< (buffer, element)
  std::optional<std::pair<int, std::uint64_t>> address;  ///< (buffer or -1 for shared, byte offset)
  int warp = 0;
  std::uint32_t block = 0;
};

/// How views are drawn. A theme is data (assets/themes); see theme.h.
enum class LabelMode : std::uint8_t { element, value, tag };

}  // namespace lanescope::views
