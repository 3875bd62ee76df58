#pragma once
// Activity: every kernel and every copy on the device, every call into the driver, each with start and duration
// from the library's own clock; and tables of them, as profilers print.

#include <span>

#include "profiling/cupti/cupti.h"

namespace lanescope::cupti {

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

}  // namespace lanescope::cupti
