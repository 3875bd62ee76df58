#pragma once
// The effects of a file's host code, found by executing it: its launches in order, with sizes and arguments, and the
// contents of the buffers at each.
//
// `main` is interpreted statement by statement, and so is each function of the file that it calls. Numbers, arrays,
// std::vector, structures, pointers and references are those of C++ on a 64-bit machine, byte for byte; the CUDA
// runtime is a model of its allocations, copies and launches; no kernel runs. The interpreter is small, and its limits
// are explicit: a value that it cannot compute (a file's contents, the clock, a property of the GPU, the result of a
// kernel, a function of another file) is unknown, with the reason. Such a value makes values that depend on it unknown,
// and nothing else:
//
//   int n = argc > 1 ? atoi(argv[1]) : 1024;       1024: argc is 1
//   cudaMemcpy(&sum, d_sum, 4, cudaMemcpyDeviceToHost);
//   reduce<<<sum / 256, 256>>>(d_a, n);            block {256}, n 1024; grid: unknown, because `reduce` writes d_sum
//
// The interpreter does not have the results of a kernel, but it has their place: a copy from one buffer into another, a
// memset or a store between two launches is a change that the engine performs (HostRun::changes).
//
// A branch whose condition is unknown is executed on both sides (or passed over, where one side leaves the function),
// and variables assigned on either side are unknown after it. A loop that exceeds its budget is left, and the variables
// that it assigns are unknown. Functions that nothing calls but that launch kernels are executed too, with unknown
// parameters. rand() is that of the GNU C library; its kin are one generator with a fixed seed.

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "kernels/source/cxx/outline.h"
#include "kernels/source/model/assumption.h"
#include "kernels/source/model/host_error.h"

namespace lanescope::source {

struct HostLimits {
  std::uint64_t steps = 24'000'000;  ///< evaluated expressions in total; one takes about 50 ns
  /// Of one outermost loop; half for each level below. Code after the first launch rather checks results than prepares
  /// launches: its loops get a 24th, and all of it gets an eighth.
  std::uint64_t loop_steps = 12'000'000;
  std::uint64_t bytes = 512ULL << 20;  ///< of all contents that are followed; two more for each byte of some arrays
  std::size_t launches = 256;          ///< that are kept; the others are counted
  int depth = 60;                      ///< of calls
  bool compiled_loops = true;          ///< filling loops run as compiled operations; the results are the same without
};

/// An address in a buffer. buffer -1: the null pointer, or an address that no buffer has.
struct HostPointer {
  int buffer = -1;
  std::int64_t offset_bytes = 0;
  bool operator==(const HostPointer&) const = default;
};

/// A number or a pointer in a structure that is passed by value, at its place in there.
struct HostField {
  std::string name, type;  ///< "view.width", "int"
  std::uint32_t offset_bytes = 0, bytes = 0;
  bool is_pointer = false;
  HostPointer pointer{};
  std::optional<double> number{};
  bool is_known = true;  ///< false: which address the pointer is, is not known
};

struct HostArgument {
  enum class Kind : std::uint8_t { unknown, number, pointer, fields };
  Kind kind = Kind::unknown;
  std::string text;  ///< as written
  double number = 0;
  std::string type{};  ///< of the parameter where it is declared by another name: "float" of `T` or `real`; else empty
  HostPointer pointer{};
  std::vector<HostField> fields{};
  std::string because{};  ///< unknown: why
};

struct HostLaunch {
  std::string kernel{};  ///< "copy" or an instance, "reduce<int,256,true>"
  int line = 0;
  std::optional<std::array<std::uint32_t, 3>> grid{}, block{}, cluster{};
  std::optional<std::uint32_t> shared_bytes{};
  bool cooperative = false;  ///< or it may be
  std::vector<HostArgument> arguments{};
  std::vector<std::string> because{};  ///< of unknown values: "the grid: ...", and whether it is launched at all
  bool certain = true;           ///< false: under a condition that is unknown, or in a function that nothing calls
  bool called = true;            ///< false: in a function that nothing calls
  bool after_occupancy = false;  ///< the host code has queried the number of resident blocks, and launches no more
};

struct ByteRange {
  std::uint64_t begin = 0, end = 0;
  bool operator==(const ByteRange&) const = default;
};

struct HostBuffer {
  std::string name;          ///< of the pointer that cudaMalloc set
  std::string element_type;  ///< as buffers name it, "" where the pointer's type reports none
  std::uint64_t bytes = 0;
  int line = 0;
  /// Before the first launch that takes it; nullptr: not all of it is known.
  std::shared_ptr<const std::vector<std::byte>> contents{};
  std::vector<ByteRange> unset{};  ///< of the contents: bytes that nothing has set, in order; they are zeros
  bool zeros = false;              ///< no contents, because they are large and all zero
  bool written = false;            ///< anything was copied, set or stored there before the first launch
  std::string because{};           ///< why the contents are not known
  bool host_only = false;          ///< memory of the host that is not pinned, which only some GPUs can reach
  bool set_meanwhile = false;      ///< the host stores there while a kernel that has its address may still run
};

/// A change by the host to a buffer whose contents the run has reported (HostBuffer::contents): between launches, or
/// before the first one if it copies from a device.
struct HostChange {
  enum class Kind : std::uint8_t {
    copy,     ///< `bytes` of `from` become those of `to`
    set,      ///< `bytes` of `to` become `value`
    write,    ///< `contents` are put there
    address,  ///< the address of `from` is put there, 8 bytes
    unknown,  ///< unknown data are stored somewhere in `to`, `because`
  };
  Kind kind = Kind::write;
  HostPointer to{}, from{};
  std::string symbol{};  ///< not empty: `to` is the variable of this name, not a buffer
  std::uint64_t bytes = 0;
  std::uint8_t value = 0;
  std::shared_ptr<const std::vector<std::byte>> contents{};
  int line = 0;                     ///< of the change; of the launch before which the host's own stores are recorded
  std::string because{};            ///< unknown: why
  std::size_t launches_before = 0;  ///< earlier launches of the run
  bool certain = true;              ///< false: under a condition that is unknown
};

/// A __constant__ or __device__ variable that the host sets.
struct HostSymbol {
  std::string name;
  int line = 0;
  std::uint64_t offset_bytes = 0;
  std::optional<std::vector<std::byte>> contents{};  ///< nullopt: not known
  std::size_t launches_before = 0;                   ///< launches that the host code makes before it
};

/// A launch, or a copy or memset of device memory, as the host code issues it; or an access of the host beside them.
struct HostOperation {
  int launch = -1;  ///< of HostRun::launches; -1: a copy or memset, or a launch that is not kept
  int line = 0;
  std::string call{};                  ///< "cudaMemcpyAsync"; empty: a launch, or an access of the host
  bool by_host = false;                ///< a load or store of the host
  std::string stream{};                ///< as written; empty: the default stream
  std::uint32_t in = 0, number = 0;    ///< which stream, and the how manieth operation there, from 1
  std::vector<std::uint32_t> after{};  ///< by stream: how many of its operations have ended before this one begins
  struct Use {
    HostPointer at{};
    std::uint64_t bytes = 0;
    bool writes = false;
  };
  std::vector<Use> uses{};  ///< of a copy or memset, of buffers
  /// Whether `before`, an earlier one, has ended before this one begins.
  bool is_after(const HostOperation& before) const {
    return before.in < after.size() && after[before.in] >= before.number;
  }
};

/// A structure of the file: its numbers and pointers, those of inner structures included.
struct HostRecord {
  std::string name;
  std::uint32_t bytes = 0;
  std::vector<HostField> fields;
};

struct HostRun {
  std::vector<HostLaunch> launches;  ///< in the order in which they happen; those of functions that nothing calls last
  std::uint64_t launch_count = 0;    ///< with those that are not kept
  struct NotKept {
    std::uint64_t launches = 0;
    int line = 0;  ///< of the first one
  };
  std::map<std::string, NotKept> not_kept{};  ///< launches beyond HostLimits::launches, by kernel
  std::vector<HostBuffer> buffers;            ///< in the order of their allocation
  std::vector<HostSymbol> symbols;
  std::vector<HostChange> changes;          ///< in the order in which they happen
  std::vector<HostOperation> operations{};  ///< in the order in which they are issued, up to a limit
  std::vector<HostRecord> records;
  std::vector<std::string> notes;     ///< skipped code, each once, with its line
  std::vector<Assumption> assumed{};  ///< assumptions of the interpreter
  std::vector<HostError> errors{};    ///< of code that surely runs
  std::uint64_t steps = 0;
  std::uint64_t tokens_searched = 0;  ///< of functions whose text was searched for possible changes
  bool with_command_line = false;     ///< `main` got the words that were given
};

/// Never fails: text that is no C++ is skipped. Runs within `limits`. `command_line`: arguments of `main`, without the
/// program's name; where it launches nothing with these words, the run is made without them.
HostRun run_host(const Lexed& lexed, const Outline& outline, const HostLimits& limits = {},
                 const std::vector<std::string>& command_line = {});

// Runs of host code that were made before. A file is read again after every edit, and its host code is seldom what was
// edited: a run is taken again where nothing that it depends on has changed - every token outside of the bodies of kernels,
// with its line, and every directive.

inline constexpr std::size_t most_cached_runs = 8;
inline constexpr std::size_t most_cached_bytes = std::size_t{512} << 20;  ///< of the contents of their buffers

/// run_host(lexed, outline, {}, command_line), from the cache where it is there. For any thread.
HostRun cached_host_run(const Lexed& lexed, const Outline& outline, const std::vector<std::string>& command_line = {});

/// How often a run was taken from the cache since the program began.
std::size_t host_cache_hits();

}  // namespace lanescope::source
