#pragma once
// A claim of a comment, the variables that it names and the probe that reads them.

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "kernels/base/coded.h"
#include "kernels/layout/assignment.h"
#include "kernels/source/model/buffer.h"

namespace lanescope::source {

// Comments on memory: which element lies at which address of an array, and how much of an array a block, a warp
// or a thread works on.

/// "shared: uint E[32][256], (time, ns)": element (i, j) of these axes is at i * stride + j * stride.
struct ArrayLayout {
  enum class Space : std::uint8_t { shared, global };
  Space space = Space::shared;
  std::string element_type{};  ///< as written; may be empty
  /// Slowest first; strides in elements, C order where none are written. An axis called "*" may be anything.
  std::vector<Axis> axes{};
  /// CuTe's Swizzle<bits, base, shift>: of an element's number, the bits from base + shift on are added to those from base on
  /// (XOR).
  struct Swizzle {
    int bits = 0, base = 0, shift = 0;
  };
  Swizzle swizzle{};
  /// Of an array with rows and columns where each place holds another element than its own: which one, row * columns + col.
  std::vector<std::int32_t> logical_of_place{};
  std::string array{};                 ///< what the variable points into: an array of shared memory, or itself
  std::int64_t offset_bytes = 0;       ///< at which it begins there
  int element_bytes = 0;               ///< of one place; 0: not known
  std::int64_t declared_elements = 0;  ///< of `array`; 0: not known
  int end_line = 0;                    ///< up to here it speaks: another comment on the same array follows; 0: no limit
};

enum class Owner : std::uint8_t { block, warp, thread };

/// "each block processes a shape-(16,2,32) subarray" of the array behind a pointer.
struct ArrayPart {
  Owner owner = Owner::block;
  std::vector<std::int64_t> shape{};                         ///< extents, slowest first; all 1 for "one element"
  std::vector<std::int64_t> whole_shape{}, whole_strides{};  ///< of the array, in elements
  int element_bytes = 0;                                     ///< of what the pointer points to; 0: as the buffer's
};

/// "each thread computes a TM x TN tile of C", "each block loads 256 elements", "one warp per row": how much of an array one
/// owner works on, where no shape of the whole array is stated.
struct WorkShare {
  enum class Verb : std::uint8_t { accesses, reads, writes };
  enum class Unit : std::uint8_t { elements, box, rows, columns };
  Owner owner = Owner::thread;
  std::string array{};  ///< the pointer that is named; empty: any
  Verb verb = Verb::accesses;
  Unit unit = Unit::elements;
  std::int64_t count = 0;           ///< elements, rows or columns; of a box the product
  std::int64_t rows = 0, cols = 0;  ///< box: as written first and second, where the names do not say otherwise; 0: any
  bool ordered = false;             ///< box: its names say which are the rows; else "8x4" may mean both
  /// The words leave room for another reading: what is seen may confirm them, but never refutes them.
  bool loose = false;
  bool computed = false;              ///< "computes", not "writes": others may write what an owner has computed
  bool consecutive = false;           ///< elements that follow each other
  int unit_bytes = 0;                 ///< "float4": 16; 0: elements of the array
  int first_line = 0, last_line = 0;  ///< of the accesses that are meant; 0: all of the kernel
  bool repeated = false;  ///< these lines are run several times, and no barrier distinguishes one time from the next
  /// No loop is among the meant accesses: how many elements a thread accesses at most follows from no size.
  bool straight = false;
  bool maybe_columns = false;             ///< the file speaks of column-major arrays
  std::vector<std::int64_t> constants{};  ///< of the file, more than 1: one of them may be the length of a row
  std::string instance{};                 ///< of the kernel whose values its names have: "k<128>"
  std::string sizes_assumed{};            ///< what is not stated about this launch, in a sentence; empty: all is known
};

// Why a claim is unchecked, or the condition of a claim that holds.

enum class Why : std::uint8_t {
  none,
  // The comment or its place.
  outside_functions,
  host_code,
  unbalanced_brackets,
  inside_statement,
  unread_rows,
  unread_notation,
  unread_comment,
  too_many_comments,
  no_variable,
  unclear_variable,
  no_place_for_probe,
  probe_not_compiled,
  no_array_named,
  shape_not_stated,
  larger_than_array,
  extents_unlike_axes,
  wrong_extent,
  no_permutation,
  unknown_place,
  unknown_element_size,
  overlapping_places,
  unlike_declaration,
  beyond_declaration,
  // The run.
  not_run,
  stopped,
  not_executed,
  not_accessed,
  launch_not_reached,
  threads_stopped,
  not_executed_on_gpu,
  judged_in_other_launch,
  kernel_not_launched,
  gpu_refused,
  no_contract,
  memory_not_watched,
  no_provenance,
  no_buffer,
  no_such_array,
  several_arrays,
  too_large,
  unknown_axis,
  axis_of_other_buffer,
  buffer_not_traced,
  no_traced_element,
  mixed_elements,
  axis_not_stated,
  computed_bits,
  kept_contents,
  seen_in_part,
  not_all_threads,
  unknown_moment,
  moment_not_stated,
  guessed_variable,
  guessed_layout,
  guessed_order,
  defines_order,
  several_readings,
  unknown_sizes,
  engine_limit,
  // Conditions of a claim that holds.
  alternative,
  input,
  if_input,
  steps_of_axes,
  order_of_claim,
  holds_for_a_time,
  as_seen,
};

inline constexpr Sentence why_sentences[] = {
    {"none", ""},
    {"outside-functions", "the comment is outside of all functions"},
    {"host-code", "the comment is in host code, which does not run on the GPU"},
    {"unbalanced-brackets", "the brackets of this file are not balanced, so no probe can be placed"},
    {"inside-statement", "the comment is not between two statements of a block"},
    {"unread-rows", "{}"},
    {"unread-notation", "{}"},
    {"unread-comment", "{}"},
    {"too-many-comments", "this file has too many claims and statements to find its place"},
    {"no-variable", "there is no variable {} in this function"},
    {"unclear-variable", "{}"},
    {"no-place-for-probe", "{}"},
    {"probe-not-compiled", "its variables cannot be read at this position: the probe does not compile"},
    {"no-array-named", "{}"},
    {"shape-not-stated", "{}"},
    {"larger-than-array", "extent {} of the subarray is {}, more than the whole array's {}"},
    {"extents-unlike-axes", "{} extents, but {} axes"},
    {"wrong-extent", "{}"},
    {"no-permutation", "these places are no permutation of those of the array"},
    {"unknown-place", "{}"},
    {"unknown-element-size", "the size of an element of `{}` is not known"},
    {"overlapping-places", "its strides, or extents that are not known, give a place twice"},
    {"unlike-declaration", "`{}` is declared with {} extents [{}]"},
    {"beyond-declaration", "its last element is number {}, but `{}` has {}"},
    {"not-run", "the kernel did not run"},
    {"stopped", "the check was stopped"},
    {"not-executed", "not reached: no thread executed this line"},
    {"not-accessed", "not reached: {}"},
    {"launch-not-reached", "not reached: the run ends in launch {} of {}: {}"},
    {"threads-stopped", "not reached: the threads stop before, at {}"},
    {"not-executed-on-gpu", "not reached on the GPU"},
    {"judged-in-other-launch", "not reached: it is judged in the launch of {}"},
    {"kernel-not-launched", "not reached: no launch runs the kernel `{}`"},
    {"gpu-refused", "{}"},
    {"no-contract", "not reached: no launch calls `{}`, and it cannot be called by itself: {}"},
    {"memory-not-watched", "memory was not watched in this run"},
    {"no-provenance", "the run has no provenance of elements"},
    {"no-buffer", "{}"},
    {"no-such-array", "the compiled kernel has no array `{}` in shared memory"},
    {"several-arrays", "several arrays are called `{}`"},
    {"too-large", "{}"},
    {"unknown-axis", "no buffer has an axis {} (named by {}): {}"},
    {"axis-of-other-buffer", "its elements come from {}, which has no axis {} (its axes: {})"},
    {"buffer-not-traced", "untraceable buffer: {} is not traced"},
    {"no-traced-element", "untraceable buffer: no element of a traced buffer reaches {}"},
    {"mixed-elements", "mixes elements: {} depends on {} elements{}"},
    {"axis-not-stated", "{}"},
    {"computed-bits", "not checkable by element ids: some bits are computed or depend on several elements"},
    {"kept-contents", "element ids cannot replace the contents of {}: {}"},
    {"seen-in-part", "{}"},
    {"not-all-threads", "it holds in the {} observed, but not all threads reach it: {}"},
    {"unknown-moment", "some barriers are for parts of the block, so that the moment is not known; at one of them: {}"},
    {"moment-not-stated", "{}"},
    {"guessed-variable", "if `{}` is meant, it differs: {}; name the variable, as in `{} has register assignment:`"},
    {"guessed-layout", "{}; as it is taken, the claim differs: {}"},
    {"guessed-order", "{}"},
    {"defines-order", "nothing else states the order of the elements of `{}`: {}"},
    {"several-readings", "{}"},
    {"unknown-sizes", "{}, but not everything of this launch is known ({})"},
    {"engine-limit", "engine cannot: {}"},
    {"alternative", "of {} alternatives the one at {} holds"},
    {"input", "it states the input of `{}`, which is called by itself"},
    {"if-input", "if {} does"},
    {"steps-of-axes", "{}"},
    {"order-of-claim", "if the claim at {} does, which defines the order of the elements"},
    {"holds-for-a-time", "after {} it is no longer so"},
    {"as-seen", "{}"},
};
static_assert(names_enumerators<Why>(why_sentences, [](const Sentence& s) { return s.name; }));
constexpr const Sentence& sentence_of(Why why) { return entry_for(why_sentences, why); }

using ClaimReason = Coded<Why>;

/// No thread reached the claim in this run. Another run may reach it.
constexpr bool is_not_reached(Why why) { return why >= Why::not_executed && why <= Why::kernel_not_launched; }

/// One bit of an assignment as it is written: the places of its physical and of its logical side.
struct WrittenBit {
  layout::PhysicalBit bit;
  TextPlace physical, logical;  ///< line 0: that side is not written out ("simd: k0")
};

/// An axis whose extent a comment gives: "i in 0..5", "e:6". It need not be a power of two.
struct StatedExtent {
  std::string axis;
  std::uint64_t extent = 0;  ///< elements
  TextPlace place;
};

/// A line among the rows of a claim that cannot be read.
struct UnreadRow {
  int line = 0, column = 0;  ///< of what is wrong in it
  std::string text;          ///< the whole line without its comment marker
  std::string problem;       ///< may be empty: it is no row at all
  std::string remedy;
};

/// A variable that probes read. One C++ object: "x0", or "x" for an array or vector.
struct Variable {
  int id = 0;
  std::string name;
  std::string type;  ///< as written; may be empty (auto)
  std::string function;
  int declared_line = 0;
};

/// Where a probe was put in the probed text.
struct ProbePoint {
  int id = 0;                  ///< as in the PTX comment
  int claim = -1;              ///< index in Source::claims, -1: a watch probe (for views)
  int line = 0, column = 0;    ///< the user's position just before which the probe stands
  int statement_line = 0;      ///< line of the statement that the probe follows (whose effect it sees)
  std::vector<int> variables;  ///< ids read by this probe
};

enum class ClaimKind : std::uint8_t { registers, memory, subarray };

/// The claim of a comment. Of memory it has no `stated`, registers or probes.
struct Claim {
  /// Nothing: the registers of `variable`, which `stated` describes.
  std::variant<std::monostate, ArrayLayout, ArrayPart, WorkShare> about;
  ClaimKind kind() const;
  std::string function;               ///< around the comment, or that begins right after it
  int first_line = 0, last_line = 0;  ///< of its rows
  int column = 0;                     ///< of memory
  std::vector<int> row_lines;         ///< one per row present, in text order
  std::string variable;               ///< display name: "x"
  std::vector<int> registers;         ///< variable ids in register order (r = 0, 1, ...); one id for an array
  layout::Assignment stated;
  std::vector<WrittenBit> bits;       ///< of `stated`, where the text has them
  std::vector<StatedExtent> extents;  ///< of axes, as its text and the comments before it give them
  /// How its rows were read, in sentences: "b1 b0 are read as bits of the register."
  std::vector<std::string> read_as;
  bool other_notation = false;  ///< rows that stand for what another tool's notation or index arithmetic says
  int alternative_of = -1;      ///< index of the claim that this one is an alternative to: one of them has to hold
  std::string sentence;         ///< the prose that introduced it; of memory the comment itself
  std::string assumed;          ///< which variable is meant where none is named, in words; empty: it is named
  int probe = -1;               ///< ProbePoint id; -1 when none could be placed
  /// Where it may be meant instead when it is false at `probe`: after the writes of its variables that follow the
  /// comment directly, in text order; the last one sees them all.
  std::vector<int> later_probes;
  std::string forward_words;       ///< words of the comment that speak of what the next statements do: "becomes"
  std::string step_words;          ///< words that speak of a step and leave its side open: "this exchanges"
  ClaimReason unchecked_reason{};  ///< of a claim that no run can check
  /// Of such a claim a line of a comment that may settle it: "registers: x0 x1", "q = lane"; empty: none is known.
  std::string settling{};
};

/// Of memory: the comment at `place`.
Claim claim_at(const TextPlace& place, std::string sentence);
/// The statement in one line.
std::string stated_words(const Claim& claim);
/// "register assignment of `x`", "layout of `E`", "stated part of `p`".
std::string subject_words(const Claim& claim);

}  // namespace lanescope::source
