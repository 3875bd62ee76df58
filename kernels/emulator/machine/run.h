#pragma once
// Options of a run, and its results besides the buffers.

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "kernels/trace/coverage.h"
#include "kernels/trace/device_launch.h"
#include "kernels/trace/observer.h"
#include "kernels/trace/pages.h"
#include "kernels/trace/tags.h"

namespace lanescope::emulator {

struct HeapState;

/// How much of what a launch prints is kept: its first calls of printf, and the first bytes of their text. A GPU keeps
/// the last mebibyte; the first is more useful in a run that prints too much.
struct PrintBudget {
  std::uint64_t calls = 65'536;
  std::uint64_t bytes = std::uint64_t{1} << 20;
};

/// When a launch ends before all its blocks have run; see trace::Coverage. Its first block always begins.
struct Limits {
  using Clock = std::chrono::steady_clock;
  Clock::time_point no_block_after = Clock::time_point::max();   ///< then only sample blocks begin
  Clock::time_point no_sample_after = Clock::time_point::max();  ///< nor those of them that need not
  Clock::time_point leave_at = Clock::time_point::max();         ///< running blocks are left midway
  std::uint64_t blocks = 0;                                      ///< that run in their order at most; 0: any number
  std::uint32_t samples = 16;                                    ///< sample blocks, the last block among them
  std::optional<std::uint32_t> wanted{};                         ///< a block that runs first of all after the cut
  bool while_identified = false;  ///< ends where blocks would run without identities, which are full
};

/// Memory that no store has written, tracked as data: its bytes have identities until they are written. A value with
/// such an identity depends on garbage. Bytes are numbered by unwritten_space() (placement.h).
struct Unwritten {
  /// By buffer and byte: 1 where nothing was written; empty: all is written. An additional entry is that of the device
  /// heap, from its beginning; memory beyond is not tracked.
  std::vector<trace::Pages<std::uint8_t>> buffers;
};

/// Inputs of the start of a block besides program, data and options.
struct Outside {
  bool late_for_blocks = false, late_for_samples = false, late_for_all = false;  ///< Limits, by the clock
  bool pool_full = false;                                                        ///< Options::tags
  bool any() const { return late_for_blocks || late_for_samples || late_for_all || pool_full; }
};

/// The answers of the world outside of a run, written down, so that a later run of the same launch is the same run.
struct Journal {
  struct Answer {
    std::uint64_t number = 0;  ///< of the question, from 1; those that are not here were answered with nothing
    Outside said;
  };
  std::vector<Answer> answers;  ///< ascending
  std::uint64_t known = 0;      ///< queries up to this one are answered from here; later ones are executed and recorded
  std::uint64_t asked = 0;      ///< the last one
};

struct Options {
  std::uint64_t seed = 1;  ///< fixes the schedule; reruns with a seed are byte-identical
  /// Warp instructions. Where blocks have ended until then, no more begin; one that runs on is reported as a runaway
  /// loop.
  std::uint64_t max_steps = 200'000'000;
  /// Warp instructions of one warp before the next warp of the block has its turn. 1 shows warps side by side; 0 runs
  /// each to its next barrier, which is fastest. Results of kernels without races do not depend on it.
  std::uint32_t slice = 1;
  /// Null: identities are off. Its `space` must match the buffers. Once it is full, blocks that start run without.
  trace::TagPool* tags = nullptr;
  /// Blocks that start with identities at most, in the order of the schedule; those after them run without.
  std::uint64_t identified_blocks = ~std::uint64_t{0};
  /// Not null: `tags` follows these bytes, and nothing else; its space is set by the run.
  const Unwritten* unwritten = nullptr;
  std::vector<trace::Observer*> observers{};
  const std::atomic<bool>* cancel = nullptr;
  PrintBudget print{};
  Limits limits{};
  /// Not empty: these blocks run alone, in this order (Coverage::others). With seed 1 and without clusters.
  std::vector<std::uint32_t> only_blocks{};
  Journal* journal = nullptr;
  /// Treatment of child grids. `run`: they run after the launch, in an order that their streams allow, without
  /// identities; `leave`: they are reported (Result::grids), and the caller runs them.
  enum class Grids : std::uint8_t { run, leave };
  Grids grids = Grids::run;
  /// Observers of those grids. Program counters are those of their own kernels, steps count from the beginning of each.
  std::vector<trace::Observer*> observers_of_grids{};
  /// The device heap after earlier launches (heap.h); null: it is empty and has the default size.
  std::shared_ptr<const HeapState> heap{};
  std::uint32_t pending_launches = trace::most_pending_launches;  ///< that may wait to begin
  /// Cores that blocks of run() may use (kernels/emulator/ahead); 0: all. The results do not depend on this number.
  std::uint32_t cores = 1;
  /// Warp instructions of a launch before other cores help, and for each of them: starting a thread takes time. 0:
  /// none.
  std::uint64_t alone_steps = 1u << 14;
  /// Code that is hot is executed as machine code of the processor (kernels/emulator/translate), where that is possible.
  /// The results do not depend on it.
  bool translate = true;
};

/// Output of one call of printf by one thread.
struct Printed {
  trace::Where where;
  int lane = 0;
  int line = 0;                ///< the user's line; 0 when unknown
  std::string text;            ///< may have several lines, or end without one
  bool cut = false;            ///< the budget, or the longest text of one call, ended it
  std::string of_host_only{};  ///< a conversion that device code does not have: "%zu" (PrintedText)
  bool string_after = false;   ///< a string is printed after it
};

struct Fault {
  enum class Kind : std::uint8_t {
    out_of_bounds,
    misaligned,
    barrier_never_completes,
    deadlock,
    runaway,
    unsupported,
    trap,
    uninitialised_shuffle,
    sync_mismatch,      ///< lanes wait for each other at `.sync` operations that do not join
    barrier_divergent,  ///< lanes wait at an aligned barrier for lanes of their warp that are elsewhere
    member_mask,        ///< a lane executes a `.sync` operation whose member mask does not name it
    assertion,          ///< assert(...) of the kernel does not hold
    breakpoint,         ///< brkpt, with no debugger there
    launch,             ///< a kernel makes an invalid launch, or exceeds the limits of the device
    heap,               ///< memory is freed that is not allocated, or was freed before
    cancelled,
  };
  Kind kind = Kind::trap;
  trace::Where where;
  int lane = -1;
  int line = 0;  ///< the user's line; 0 when unknown
  std::uint64_t address = 0;
  std::string what{};    ///< the error: address, expected value
  std::string message;   ///< the same after block, warp and lane
  std::string remedy{};  ///< where there is a better one than that of the kind
};

/// Code that lanes did not execute, because they reached an unsupported instruction, wait for such lanes, or were left
/// midway by a limit. All other lanes of blocks that ran reached their ends.
struct Unfinished {
  std::vector<int> probes;   ///< ids of probes that they might have reached, ascending
  std::uint64_t blocks = 0;  ///< with such lanes
};

struct Result {
  /// Empty: ran to the end. Instructions that the emulator does not know come last, each once: they stop the lanes that
  /// execute them, and the others continue; every other fault ends the launch.
  std::vector<Fault> faults;
  Unfinished unfinished;
  std::vector<Printed> printed;     ///< in the order of the schedule
  std::uint64_t printed_calls = 0;  ///< all of them, those left out too
  std::uint64_t warp_instructions = 0;
  std::uint64_t thread_instructions = 0;
  std::uint32_t shared_bytes = 0;
  /// Blocks that ran with identities: all of them unless the pool was full before the last one started, or fewer were
  /// requested.
  std::uint64_t identified_blocks = 0;
  trace::Coverage coverage;
  /// Child grids in the order in which they run: the whole tree, or with Grids::leave the launch's own. The
  /// counts above are those of the launch and, where they ran, of these grids together.
  std::vector<trace::DeviceLaunch> grids{};
  std::shared_ptr<const HeapState> heap{};  ///< the device heap for the next launch; null: empty
};

}  // namespace lanescope::emulator
