#pragma once
// A recorded run: columns of events for the recorded blocks, and the queries of views. Self-contained:
// it has each instruction's line and text, so that no reader needs the PTX again.

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "kernels/trace/observer.h"
#include "kernels/trace/record_log.h"

namespace lanescope::trace {

/// Kind of an instruction's mark on a timeline.
enum class StepKind : std::uint8_t {
  other,
  load,
  store,
  move,
  shuffle,
  vote,
  barrier,
  branch,
  arithmetic,
  probe,
  atomic,
  exit
};

/// One static instruction, for display.
struct CodeSite {
  int line = 0, column = 0;  ///< in the user's file; 0 when unknown
  int inner_line = 0;        ///< inside an inlined function of the user's file; 0 otherwise
  StepKind kind = StepKind::other;
  std::string text;  ///< canonical PTX
  /// Of a function without lines of its own, such as one of the compiler's library, that several lines call: those
  /// lines, ascending; `line` is then 0. Where one line calls it, that is `line`.
  std::vector<int> call_lines{};
  int product_pc =
      -1;  ///< of a sum or difference that is one fma with a product: its multiplication (ptx/contraction.h)
};

struct StepRecord {
  std::uint32_t block = 0, warp = 0, pc = 0, active = 0;
};

struct ShuffleRecord {
  std::uint64_t step = 0;
  std::array<std::int8_t, lanes_per_warp> source_lane{};
};

/// A branch at which lanes diverge: some jump, the others of the step continue.
struct BranchRecord {
  std::uint64_t step = 0;  ///< index into Trace::steps
  std::uint32_t taken = 0;
};

/// Lanes arrive at a barrier of the block.
struct BarrierRecord {
  std::uint64_t step = 0;
  std::uint32_t lanes = 0;
  int barrier = 0;
  bool waits = true;  ///< as in BarrierEvent
};

/// A barrier of the block is complete.
struct ReleaseRecord {
  std::uint64_t step = 0;  ///< the newest step of the recorded blocks by then
  std::uint32_t block = 0;
  int barrier = 0;
};

/// A lane polls a barrier object in vain, or no longer so, or completes its phase.
struct ObjectRecord {
  enum class Kind : std::uint8_t { fails, passes, completes };
  std::uint64_t step = 0;
  Kind kind = Kind::fails;
  std::uint8_t lane = 0;
  std::uint32_t address = 0;  ///< offset in the block's shared memory, bytes
};

/// One 32-bit word of one variable in one warp at a moment.
struct WordState {
  std::array<std::uint32_t, lanes_per_warp> values{};
  std::array<WordTag, lanes_per_warp> tags{};
  std::uint32_t defined = 0;     ///< lanes that have a value
  std::uint32_t changed = 0;     ///< lanes whose value was written by the requested step
  std::uint64_t written_at = 0;  ///< step of the last write
};

struct VariableWord {
  int variable = 0;
  int byte_offset = 0;
  auto operator<=>(const VariableWord&) const = default;
};

struct SharedByte {  // one 4-byte word of shared memory
  std::uint32_t value = 0;
  WordTag tag = no_data;
  bool written = false;
};

/// State of the recorded block before the first step of a trace that begins within it.
struct TraceBeginning {
  std::map<std::pair<VariableWord, std::uint32_t>, WordState> words;  ///< by warp; nothing is `changed`
  /// Times that a probe had shown a word in a warp.
  std::map<std::tuple<int, VariableWord, std::uint32_t>, std::uint32_t> times;
  std::vector<SharedByte> shared;  ///< empty: nothing was written
};

struct Trace {
  std::vector<CodeSite> code;
  Launch launch;  ///< without buffer contents
  /// Names and types; `bytes`: the contents before the run, or nothing where no history needs them (then `tags.space`
  /// has the sizes).
  std::vector<Buffer> buffers;
  std::vector<std::uint64_t> buffer_addresses;
  std::vector<StepRecord> steps;        ///< of recorded blocks only
  AccessLog accesses;                   ///< ascending step
  ProbeLog probes;                      ///< ascending step
  std::vector<ShuffleRecord> shuffles;  ///< ascending step
  std::vector<BranchRecord> branches;   ///< ascending step, as the next three
  std::vector<BarrierRecord> barriers;
  std::vector<ReleaseRecord> releases;
  std::vector<ObjectRecord> objects;  ///< of polls only the first that fails, and the one that then passes
  std::vector<SteerEvent> steers;     ///< first of each pc, in any block; `where.step` counts the whole launch
  std::uint32_t shared_bytes = 0;     ///< static + dynamic, of one block
  std::uint64_t total_steps = 0;      ///< of the whole launch, recorded or not
  bool truncated = false;             ///< the budget ended before the recorded blocks did
  std::uint64_t first_step = 0;       ///< of the recorded block: that of steps[0]
  TraceBeginning beginning{};         ///< before that
  std::uint64_t block_steps = 0;      ///< of the recorded block, recorded or not; 0: it did not end
  mutable TagPool tags;               ///< queries may have to intern new words (bytes stored into a shared word)

  /// Registers of a block just after `step` (an index into steps; -1 = before anything), for one variable word,
  /// one entry per warp. O(log n + writes since the last checkpoint).
  std::vector<WordState> registers_at(std::int64_t step, std::uint32_t block, VariableWord word) const;
  /// Words of shared memory of a block just after `step`.
  std::vector<SharedByte> shared_at(std::int64_t step, std::uint32_t block) const;
  /// The memory access of `step`; of a cp.async, its read.
  std::optional<AccessRecord> access_at(std::uint64_t step) const;
  /// Probe records written by `step` (a probe is a step of its own).
  std::vector<ProbeRecord> probes_at(std::uint64_t step) const;
  /// (buffer, byte offset) of a global address.
  std::optional<std::pair<int, std::uint64_t>> locate(std::uint64_t address) const;

  /// Builds the index, so that the first question costs no more than the others (0.1 to 0.2 s for 10^7 lane accesses).
  /// For the caller that ran the launch, once `shared_bytes` is set.
  void prepare() const;
  /// Bytes of steps, records and the index over them (without buffers, code and the pool of tags).
  std::size_t memory_bytes() const;

  /// Made by the first question, extended when records were added since. Questions are not thread-safe.
  struct Index;
  mutable std::shared_ptr<Index> index;
};

struct RecordOptions {
  std::uint32_t first_block = 0, block_count = 1;  ///< which blocks are recorded
  std::uint64_t max_steps = 4'000'000;
  /// Of one recorded block: its steps before this one are not recorded.
  std::uint64_t first_step = 0;
};

class BlockStates;

/// An observer that fills a Trace. `code`, `launch`, `buffers` and `buffer_addresses` are set by the caller.
class Recorder final : public Observer {
 public:
  /// `states` receives each event before the recorder is, and has how the trace begins; it can be nullptr where
  /// recording begins with the block.
  Recorder(Trace& trace, RecordOptions options, const BlockStates* states = nullptr);
  /// Nothing more will be recorded: the budget or the recorded blocks have ended.
  bool done() const { return trace_.truncated || ended_blocks_ == options_.block_count; }
  void on_step(const Where&) override;
  void on_access(const AccessEvent&) override;
  void on_probe(const ProbeEvent&) override;
  void on_shuffle(const ShuffleEvent&) override;
  void on_steer(const SteerEvent&) override;
  void on_block_end(std::uint32_t block, std::uint64_t steps) override;
  void on_branch(const BranchEvent&) override;
  void on_barrier(const BarrierEvent&) override;
  void on_release(const ReleaseEvent&) override;
  void on_barrier_object(const BarrierObjectEvent&) override;
  // Of blocks that are not recorded it needs the number of steps and where data steer.
  std::unique_ptr<Observer> part() const override;
  bool can_take(const Observer& part) const override;
  void take(Observer& part, std::uint64_t first_step) override;
  Atomics needs_atomics() const override { return Atomics::never; }

 private:
  class Part;
  bool is_of(std::uint32_t block) const;
  bool recorded(const Where&) const;
  Trace& trace_;
  RecordOptions options_;
  const BlockStates* states_;
  bool begun_ = false;  ///< the first step to record was reached
  std::uint32_t ended_blocks_ = 0;
  std::vector<bool> steered_;  ///< by pc: a steer event is stored already
  struct Poll {
    std::uint32_t block = 0, warp = 0, lane = 0, address = 0;
    auto operator<=>(const Poll&) const = default;
  };
  std::set<Poll> failing_;  ///< the last poll of this lane failed
};

// Accesses in words. Places are named by buffer and byte, never by address, so that they are the same on two machines.

/// "load", "asynchronous copy".
std::string_view kind_words(AccessKind kind);
/// "store of 4 bytes to global memory"
std::string access_words(const AccessRecord& access);
/// Where `lane` accesses, in bytes: "y + 64", "shared + 64"; "outside of all buffers" for a global address that `trace`
/// cannot place.
std::string place_words(const Trace& trace, const AccessRecord& access, std::size_t lane);

}  // namespace lanescope::trace
