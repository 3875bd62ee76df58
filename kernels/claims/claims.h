#pragma once
// Claims of a source against a run, and actual assignments.
//
// A claim is about one register array. Its places are numbered (simd part, register, thread, warp, block); each place
// that an active lane has must hold exactly one element, and every stated physical bit must equal its sum of that
// element's coordinate bits. Nothing is free in a named bit: an inverted register makes the claim false. Bits of
// coordinates that no row names (the tile, other axes) may have any value, but one value for all places of an instance
// as far as the rows that are present reach; they may differ between places of absent rows, between blocks (unless
// blocks are a row), iterations and call sites. An instance is (block, n-th execution of the probe by a lane).
//
// differs: an element elsewhere; a place with no data, with parts of elements or with an element of another buffer;
// data at a place for which a row has no bit; unnamed bits that vary; more register bits than registers. unchecked:
// sums and the like of several elements, unless something else is wrong already. A value computed from one element
// counts as the element and is marked. Data steer "before" a claim when they did so earlier in the same block.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "kernels/base/enum_size.h"
#include "kernels/claims/repeated.h"
#include "kernels/layout/infer.h"
#include "kernels/source/source.h"
#include "kernels/trace/observer.h"

namespace lanescope::claims {

using source::ClaimReason;
using source::Why;

enum class Verdict : std::uint8_t { holds, differs, unchecked };
inline std::string_view to_string(Verdict v) { return enum_name(v); }

struct Instance {
  std::uint32_t block = 0, warp = 0;
  std::uint32_t iteration = 0;  ///< n-th time the probe ran in this thread, from 0
  int caller_line = 0;          ///< call site of an inlined function; 0 when none
};

struct ClaimResult {
  int claim = 0;  ///< index in Source::claims
  Verdict verdict = Verdict::unchecked;
  ClaimReason reason{};                      ///< unchecked: why; holds: its condition, if any
  std::optional<layout::Assignment> actual;  ///< of the first failing instance; of the first one if it holds
  std::string actual_words;                  ///< one line; or why no affine map exists, with the counterexample
  std::string difference;                    ///< "r1 and r0 are swapped"
  std::optional<Instance> first_failure;
  int first_false_line = 0;     ///< code line whose write first made it false; 0 unknown
  bool computed = false;        ///< values are computed from elements
  bool for_this_input = false;  ///< data steered a branch, an address or a lane choice before it
  int steered_line = 0;         ///< where
  /// differs, while others hold further down (of the same variable, where more claims than this one differ): how many
  /// of the file hold. The code agrees with those comments, so that this one is rather to be corrected than the code.
  /// Set by the caller that has all verdicts of the file.
  int others_hold = 0;
  int others_differ = 0;  ///< with others_hold: how many other claims of the file differ
  /// It states the input of a function (source/model/contract.h): where it differs, the call is wrong.
  bool of_input = false;
  int probe = -1;         ///< ProbePoint id at which this is so; -1: none
  bool formless = false;  ///< differs, and no assignment of any kind describes the registers
  /// holds: not at the comment, but after the statement that begins at this line. differs: that it is true there. 0:
  /// neither.
  int after_line = 0;
  /// Places hold sums and the like of several elements, and all elements of a place agree in the bits named.
  bool up_to_sums = false;
  bool seen_in_part = false;  ///< unchecked, because some of its instances may be missing
  std::uint64_t instances = 0, places = 0, inactive_places = 0;
  std::uint64_t outside_places =
      0;  ///< places that the rows give to no element, their axes being shorter; may hold anything
  /// unchecked, because nothing states the order of this buffer: the axes under which it is judged, "i:4 j:32".
  int axes_of = -1;
  std::string axes{};
};

/// Of claims that are alternatives to each other one has to hold; then none of the others differs. `reason` names the
/// one that holds. A claim about registers or memory needs identities of elements; one about a share of work needs only
/// addresses.
bool needs_elements(const source::Claim& claim);

/// Results of the launch `launch`: in that of a contract, claims that hold do so if its input is as stated, and the claims
/// that state it are given.
void put_under_contract(const source::Source& source, int launch, std::vector<ClaimResult>& results);

void settle_alternatives(const source::Source& source, std::vector<ClaimResult>& results);
/// "holds", "holds after line 19", "holds up to sums", "is given", "defines the order", "differs", "unchecked".
std::string verdict_words(const ClaimResult& result);

/// Remarks beside a verdict, in sentences without their full stops: assumptions, other places where it is true, places
/// outside of an axis.
std::vector<std::string> remarks_on(const source::Claim& claim, const ClaimResult& result);

/// For a claim that differs, in a sentence without its full stop: that the code agrees with the other claims, or where
/// the code first contradicts this one; empty: neither is known.
std::string blame_words(const ClaimResult& result);

/// Actual contents of a group of registers at one probe instance.
struct Real {
  std::optional<layout::Assignment> assignment;
  std::string words;  ///< one line, or the reason why there is none
  int buffer = -1;    ///< which buffer's elements
  int element_bits = 32;
  bool computed = false;
};

/// Addresses of memory in a launch, for claims about it.
struct MemoryPlaces {
  struct SharedArray {
    std::string name;  ///< as the PTX calls it
    std::uint64_t offset = 0, bytes = 0;
  };
  std::string kernel;                 ///< in the source, an instance with its template arguments
  std::vector<SharedArray> shared{};  ///< offsets as accesses count them
  std::vector<std::uint64_t> buffer_addresses{}, buffer_bytes{};  ///< by buffer of the launch
  std::vector<trace::Argument> arguments{};
  std::vector<int> inner_lines{};  ///< by pc: the line of an inlined function; 0: none
  /// Of global memory by one thread, in any launch: no store is in a loop. nullopt: one is, or a function is called.
  std::optional<std::uint64_t> most_stored_bytes{};
  bool stores_from_shared = false;  ///< stored values may have been computed by another thread
};

/// Observes a probed run and keeps the data for verdicts, over all blocks. `steers` of the run are included.
class Collector final : public trace::Observer {
 public:
  /// value_bytes[variable id] = size of the C++ object in bytes (from the PTX probe marks); 0 unknown.
  /// caller_lines_by_pc[pc] = line of the kernel's own code, the outer one where code was inlined; 0 unknown.
  /// `source` and `tags` must outlive the collector; buffers of header and tag space correspond by index. One thread.
  Collector(const source::Source& source, const trace::TagPool& tags, std::vector<int> value_bytes,
            std::vector<int> caller_lines_by_pc);
  ~Collector() override;
  void on_probe(const trace::ProbeEvent&) override;
  void on_steer(const trace::SteerEvent&) override;
  void on_access(const trace::AccessEvent&) override;
  void on_block_end(std::uint32_t block, std::uint64_t steps) override;
  void on_barrier(const trace::BarrierEvent&) override;
  // A part keeps the events; all is judged here, in their order.
  std::unique_ptr<trace::Observer> part() const override;
  bool can_take(const trace::Observer& part) const override;
  void take(trace::Observer& part, std::uint64_t first_step) override;
  Atomics needs_atomics() const override;

  /// Claims about memory are judged, too. Before the run.
  void watch_memory(MemoryPlaces places);

  /// Memory that may be kept: for instances of claims (beyond it the oldest are judged at once and dropped unless they
  /// fail), and for `real_at` and `annotate` (beyond it later moments are not available).
  void keep_at_most(std::size_t instance_bytes, std::size_t moment_bytes);

  /// For a run in which only some blocks ran: a claim that holds there is unchecked. `blocks`: "the 3 of 8 blocks that
  /// ran"; `why`: "the time for running is over".
  void ran_only(std::string blocks, std::string why);
  /// For a run that tracked identities in some of its blocks only, likewise for claims about elements. Claims about
  /// addresses use all blocks that ran.
  void watched_only(std::string blocks, std::string why);

  /// For a run of `blocks.ran` alone: their instances are those of the blocks that repeat them, too. `pool` is that of
  /// the run. false: values there depend on too much to follow; then nothing is judged.
  bool repeat(const RepeatedBlocks& blocks, trace::TagPool& pool);

  /// For a run in which threads stopped that might have reached these probes (ascending): a claim that holds there is
  /// unchecked, and nothing is annotated there.
  void stopped_before(const std::vector<int>& probes, std::string why);

  /// A flag that ends judging and annotating early, whose results must be discarded; optional.
  void stop_when(const std::atomic<bool>* flag);

  std::vector<ClaimResult> judge() const;
  /// Actual contents of the group `variables` (register order) at watch or claim probe `probe`, in (block, iteration).
  Real real_at(int probe, const std::vector<int>& variables, std::uint32_t block, std::uint32_t iteration) const;

  struct State;
  const State& state() const { return *state_; }

 private:
  std::unique_ptr<State> state_;
};

/// The .cu text with the assignment comments that hold, written after every load, move and barrier where one is
/// meaningful, in the notation of `layout::print`. `source` has no claims of its own there (or they are kept).
struct Annotation {
  std::string text;
  int claims_written = 0;
  std::vector<std::string> headers_left{};  ///< names of headers with places for comments: the text is the file's alone
};
Annotation annotate(const source::Source& source, const Collector& collector);

}  // namespace lanescope::claims
