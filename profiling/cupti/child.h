#pragma once
// A measurement in a separate process: a kernel that faults, a library that fails or interfaces that interfere with
// each other affect only that process.
//
// The child reads one Request from its standard input and writes one answer to its standard output, both CBOR (so that
// buffers and PTX travel as bytes), then ends. Output of a library is standard error. For many measurements
// of a kernel that changes there is a child that stays: live.h.

#include <span>

#include "kernels/base/deadline.h"
#include "kernels/base/frames.h"
#include "profiling/cupti/cupti.h"
#include "profiling/cupti/machine_code.h"

namespace lanescope::cupti {

// Counts per machine instruction, summed over the launches: how often it ran, how many sectors or wavefronts it cost.
//
// The library rewrites each kernel at its first launch, so that it counts; a count is exact, times mean nothing. The
// names are those of the range metrics without suffix ("smsp__sass_inst_executed"). Measured on an H200 with CUDA 13.0:
// with `*_ideal` metrics in the set, later kernels of the process gave no records and a second configuration failed
// with OUT_OF_MEMORY, so the default set has none of them.

struct SassRow {
  std::uint32_t offset = 0;  ///< bytes from the start of the function
  int line = 0;              ///< of the source; 0: not known
  std::string file{}, function{};
  std::vector<double> values{};  ///< one per metric
  bool operator==(const SassRow&) const = default;
};

struct SassReport {
  std::string device{}, chip{};
  std::vector<std::string> metrics{},
      unknown{};                 ///< those that the chip has, in the order of the request; those it lacks
  std::vector<SassRow> rows{};   ///< by function, then offset; instructions that none of the metrics counts
                                 ///< may be absent
  std::vector<SassLine> code{};  ///< every instruction as text; empty where there is no disassembler,
  std::string no_code{};         ///< and then why, with what to do
  std::size_t dropped = 0;       ///< records that the library lost

  /// Sum over instructions (of one function, where named); nothing when the metric was not measured.
  std::optional<double> total(std::string_view metric, std::string_view function = {}) const;
};

/// Puts the counts of `more` beside those of `all`, which are of other kernels; functions that both called add up.
void add_counts(SassReport& all, const SassReport& more);

/// The metrics that count memory traffic, divergence and plain execution, without `*_ideal`.
const std::vector<std::string>& default_sass_metrics();

struct LineTotal {
  std::string file{};
  int line = 0;
  std::vector<double> values{};  ///< one per metric
};
/// Rows summed by source line, in the order of file and line.
std::vector<LineTotal> by_line(const SassReport& report);

/// Runs every launch of `request` once and counts request.metrics, or the default set where there are none, in the
/// launches of request.counted, or of the first kernel. A process gets the counts of one kernel only: of others none came
/// (measured on an H200 with CUDA 13.0, kernels rewritten at once or when launched, counts read after each launch or at the
/// end). count_instructions_in_child (child.h) requests a child for each kernel. Errors: no library, no GPU, no permission, a
/// launch that failed, none of the metrics known. Once per process.
Expected<SassReport> count_instructions(const Request& request);

// Stalls of warps: samples of the program counter, taken by each multiprocessor in turn from its warps while the
// kernels run at full speed. A sample has the next instruction of a warp and the reason why it does not issue.
//
// The launches run again and again from the initial buffers until there are enough samples or the time is up; counts of
// samples are shares of time, never exact. Measured on an H200 with CUDA 13.0: in a process that had already collected
// activity records and ranges every sample came back as another process's, so a process samples and nothing else.

struct StallRow {
  int line = 0;              ///< of the source; 0: not known
  std::uint32_t offset = 0;  ///< bytes from the start of the function
  std::string file{}, function{};
  std::string reason{};  ///< the hardware's name: "smsp__pcsamp_warps_issue_stalled_long_scoreboard"
  std::uint64_t samples = 0;
  std::uint64_t idle = 0;  ///< of these, the ones in cycles in which the scheduler issued nothing: they cost time. The
                           ///< hardware's own name of this number is the reason's with "_not_issued"
  bool operator==(const StallRow&) const = default;
};

struct StallReport {
  std::string device{}, chip{};
  std::vector<StallRow> rows{};  ///< by function, offset, reason
  std::uint64_t samples = 0;     ///< those of the rows, and those below
  std::uint64_t dropped = 0;     ///< lost by the hardware
  std::uint64_t elsewhere = 0;   ///< in kernels that are not ours
  std::size_t runs = 0;          ///< of the whole list of launches
  int period_log2 = 0;           ///< a multiprocessor takes a sample every 2^this cycles
  double milliseconds = 0;       ///< of all runs together
};

/// "long_scoreboard" of the hardware's name.
std::string_view stall_name(std::string_view reason);
/// A stall reason in words; empty for an unknown reason. Source: Nsight Compute documentation, "Warp Stall Reasons".
std::string_view stall_words(std::string_view reason);

/// Errors: no library, no GPU, no permission, a launch that failed. Once per process (child.h).
Expected<StallReport> sample_stalls(const Request& request);

// Activity: every kernel and every copy on the device, every call into the driver, each with start and duration
// from the library's own clock; and tables of them, as profilers print.

/// Times in nanoseconds; starts count from the first record of the measurement.
struct LaunchRecord {
  std::string kernel{};
  std::uint64_t start = 0, duration = 0;
  int registers = 0;                          ///< per thread
  int static_shared = 0, dynamic_shared = 0;  ///< bytes per block
  std::uint32_t local = 0;                    ///< bytes per thread
  trace::Dim3 grid{}, block{};
  std::uint32_t correlation = 0;  ///< equal to that of its driver call
  std::uint32_t stream = 0;       ///< as in the request; as the library numbers it where add_record() wrote it
  bool operator==(const LaunchRecord&) const = default;
};
struct CopyRecord {
  std::string kind{};  ///< "host to device", "set", ...
  std::uint64_t start = 0, duration = 0, bytes = 0;
  std::uint32_t correlation = 0;
  bool operator==(const CopyRecord&) const = default;
};
struct CallRecord {
  std::string name{};  ///< "cuLaunchKernelEx"
  std::uint64_t start = 0, duration = 0;
  std::uint32_t correlation = 0;
  bool operator==(const CallRecord&) const = default;
};

struct ActivityReport {
  std::string device{};
  std::vector<LaunchRecord> launches{};  ///< each list by start
  std::vector<CopyRecord> copies{};
  std::vector<CallRecord> calls{};
  std::size_t dropped = 0;  ///< records that the library lost
};

/// One line of a profile; times in nanoseconds.
struct ProfileRow {
  std::string name{};
  std::size_t calls = 0;
  std::uint64_t total = 0, least = 0, most = 0;
  double average() const { return calls == 0 ? 0 : static_cast<double>(total) / static_cast<double>(calls); }
  bool operator==(const ProfileRow&) const = default;
};
/// Longest total first; equal totals by name.
std::vector<ProfileRow> profile(const std::vector<LaunchRecord>& launches);
std::vector<ProfileRow> profile(const std::vector<CopyRecord>& copies);
std::vector<ProfileRow> profile(const std::vector<CallRecord>& calls);

/// Runs the launches request.repetitions times, each time from the initial buffers, and copies the buffers back, as a
/// program would. Errors: no library or one whose records are not known here, no GPU, a launch that failed. Once per
/// process (child.h).
Expected<ActivityReport> record_activity(const Request& request);

/// The library numbers streams in its own way, and if streams overlap its records are in any order. But calls are
/// made one after the other, and their correlations ascend: the n-th correlation is the n-th launch, round by round.
/// Each record gets the stream of its launch in `launches`, which ran `repetitions` times. Where records are missing
/// that is not known, and all get stream 0.
void number_streams(const std::vector<trace::Launch>& launches, int repetitions, std::vector<LaunchRecord>& records);

/// Adds one record as the library writes it (CUPTI documentation, "CUpti_ActivityKernel9", "..Memcpy5", "..Memset4",
/// "..API": what is read here lies at the same place from 12.6 to 13.1). `name` reports a driver call's name by its
/// number. False: another kind, or too short. Starts are the library's own.
using CallName = std::string (*)(std::uint32_t);
bool add_record(std::span<const std::uint8_t> record, CallName name, ActivityReport& report);

/// The whole of the child's main(): performs the request's `what`. Returns its exit status, 0 if the answer was written
/// (errors are answers too).
int measure_child(int in_fd = 0, int out_fd = 1);

// Each starts `command` (which must end up in measure_child), gives it the request, waits for the answer; `what` is set
// as the name says. Instructions are counted by a child for each kernel that is launched, and each has the whole limit.
// Errors: those of the measurement; a child that died, with its last words; one that took longer than the limit, or
// whose answer is no longer needed ("the measurement was cancelled"): it is killed at once.
Expected<Measurement> measure_in_child(const std::vector<std::string>& command, const Request& request,
                                       const Deadline& deadline = std::chrono::seconds(120));
Expected<SassReport> count_instructions_in_child(const std::vector<std::string>& command, const Request& request,
                                                 const Deadline& deadline = std::chrono::seconds(120));
Expected<StallReport> sample_stalls_in_child(const std::vector<std::string>& command, const Request& request,
                                             const Deadline& deadline = std::chrono::seconds(120));
Expected<ActivityReport> record_activity_in_child(const std::vector<std::string>& command, const Request& request,
                                                  const Deadline& deadline = std::chrono::seconds(120));

// Encoding; a round trip is the identity.
Bytes encode(const Request& request);
Expected<Request> decode_request(const Bytes& bytes);
Bytes encode(const Expected<Measurement>& answer);
Expected<Measurement> decode_answer(const Bytes& bytes);
Bytes encode(const Expected<SassReport>& answer);
Expected<SassReport> decode_instructions(const Bytes& bytes);
Bytes encode(const Expected<StallReport>& answer);
Expected<StallReport> decode_stalls(const Bytes& bytes);
Bytes encode(const Expected<ActivityReport>& answer);
Expected<ActivityReport> decode_activity(const Bytes& bytes);

}  // namespace lanescope::cupti
