#pragma once
// The marks of a timeline warp by warp, with running counts: which marks lie in a stretch of a run, of which kinds, and
// how many of them cost more than they need. A million marks are entered in some ten milliseconds, in portions if so
// wanted; after that a stretch of any length is answered from two sums and at most 2 * stride marks.
//
//   marks of warp 0    0   1   2  ...  31 | 32  33 ...        sums before each multiple of `stride`
//   count(0, 5, 4000)  = sums[4000 / 32] + 0 marks - sums[0] - marks 0 to 4

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "results/summary.h"

namespace lanescope::results {

/// The kind under which a mark is drawn and counted: its trace::StepKind, or a load of a parameter of the kernel. A
/// parameter is in a bank of constants that every warp reads at once: it is no access of the memories that views show.
inline constexpr int parameter_kind = static_cast<int>(trace::StepKind::exit) + 1;
inline constexpr int mark_kind_count = parameter_kind + 1;

/// "ld.param.u64" of "@%p1 ld.param.u64 %rd1, [f_param_0];".
std::string_view opcode_of(const trace::CodeSite& site);
bool reads_parameter(const trace::CodeSite& site);
int mark_kind(const Summary& summary, const TimelineMark& mark);

struct MarkCounts {
  std::array<std::uint32_t, mark_kind_count> of_kind{};
  std::uint32_t costly = 0;  ///< accesses that take more wavefronts or sectors than their data need
  std::uint32_t all() const;
  MarkCounts& operator+=(const MarkCounts& other);
  bool operator==(const MarkCounts&) const = default;
};

class StepIndex {
 public:
  static constexpr std::size_t stride = 32;

  /// Takes up to `most` further marks. True: all marks of the timeline are in. Every call is about the same summary,
  /// until clear().
  bool extend(const Summary& summary, std::size_t most = std::numeric_limits<std::size_t>::max());
  void clear() { *this = {}; }
  bool complete(const Summary& summary) const { return kinds_.size() == summary.timeline.size(); }
  std::size_t marks() const { return kinds_.size(); }

  /// Indices into Summary::timeline, ascending; empty for a warp without marks.
  std::span<const std::uint32_t> of_warp(int warp) const;
  /// How many marks the warp with most of them has.
  std::uint64_t longest() const { return longest_; }
  /// How many marks of `warp` lie before `step`: the column of its first mark from there on.
  std::size_t before(const Summary& summary, int warp, std::int64_t step) const;
  /// Of the n-th marks of `warp` with first <= n < last; marks beyond its end count as none.
  MarkCounts count(int warp, std::size_t first, std::size_t last) const;
  int kind(std::size_t mark) const { return kinds_[mark] & 0x7f; }
  bool costly(std::size_t mark) const { return (kinds_[mark] & 0x80) != 0; }
  /// How many marks of the same warp are before this one.
  std::uint32_t column(std::size_t mark) const { return columns_[mark]; }
  /// The mark of a step, an index into Summary::timeline; -1: none, or not taken yet.
  std::int64_t mark_at(const Summary& summary, std::int64_t step) const;
  /// The first mark on a source line (`probe`: the first probe there), an index into Summary::timeline; -1: none.
  std::int64_t first_on_line(int line, bool probe) const;

 private:
  struct Warp {
    std::vector<std::uint32_t> marks;
    std::vector<MarkCounts> sums;  ///< of the marks before each multiple of stride
    MarkCounts all;
  };
  std::vector<std::uint8_t> kinds_;        ///< by mark; the highest bit: costly
  std::vector<std::uint32_t> columns_;     ///< by mark
  std::vector<std::uint8_t> kinds_of_pc_;  ///< of Summary::code
  std::vector<Warp> warps_;
  std::vector<std::vector<std::int64_t>> first_mark_, first_probe_;  ///< by line / 1,000,000, and the rest of it
  std::size_t next_access_ = 0;                                      ///< into Summary::accesses
  std::uint64_t longest_ = 0;
};

/// Of a whole summary, for a single query.
StepIndex index_of(const Summary& summary);

// The visits of a warp to the lines of the source: stretches of its steps that belong to one line after the other: "the
// third visit of line 58".

struct LineVisit {
  int line = 0;                      ///< 0: the steps before the first one whose line is known
  std::int64_t first = 0, last = 0;  ///< steps
};
/// Of the recorded block, ascending. A step whose line is unknown counts to the line before it.
std::vector<LineVisit> line_visits(const Summary& summary, int warp);

// Which iteration of which loop a step belongs to, and the step that corresponds to it in another iteration.
//
// A loop is a stretch of instructions that a backward branch repeats (Summary::loops). A warp enters it, and starts an
// iteration each time it executes its first instruction; it leaves the loop when it executes an instruction outside. A
// function that the loop calls belongs to the iteration. Iterations are numbered from 1 in each visit of the loop: an
// inner loop starts again in every iteration of the outer one. Lanes that run apart are one warp here: where two groups
// of lanes reach the loop's start one after the other, each of them starts an iteration.

struct Iteration {
  int loop = -1;                                 ///< into Summary::loops
  std::int64_t number = 0, of = 0;               ///< from 1, in this visit of the loop
  std::int64_t first_step = -1, last_step = -1;  ///< of this warp
};

/// Of the loops around this step of `warp`, the innermost first; empty where there is none.
std::vector<Iteration> iterations_at(const Summary& summary, const StepIndex& index, int warp, std::int64_t step);

/// The loop's iteration `number` in the visit that `step` is in, else in the next visit, else in the first one: there
/// the same instruction as at `step` where it runs, else the iteration's first one. -1: there is no such iteration.
std::int64_t step_in_iteration(const Summary& summary, const StepIndex& index, int loop, int warp, std::int64_t step,
                               std::int64_t number);

/// Loops that `warp` enters at all.
std::vector<int> loops_of(const Summary& summary, const StepIndex& index, int warp);

// Executions of statements on the timeline of a recorded block. A warp visits a line: a run of its instructions of that
// line. A visit is one execution, or several where a loop in one line was unrolled: then it writes its variable again
// in each.

/// The last step of the next execution of a statement of this warp that writes a register or memory, after `step`;
/// nullopt: there is none. `line` 0: of any line.
std::optional<std::int64_t> next_statement_end(const Summary& summary, std::int64_t step, int warp, int line = 0);
/// The same of the one that ended last before `step`.
std::optional<std::int64_t> previous_statement_end(const Summary& summary, std::int64_t step, int warp);
/// Of a line from the beginning: of an execution that writes something, else the end of the first visit; nullopt: the
/// warp does not come to the line.
std::optional<std::int64_t> first_statement_end(const Summary& summary, int line, int warp);

}  // namespace lanescope::results
