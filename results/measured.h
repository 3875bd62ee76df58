#pragma once
// Measurements of the same launches on a GPU, beside the predicted values: plain values from the engine, part by part.
// A part that could not be measured is absent, and `refused` has the reason and a remedy.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/base/diagnostic.h"
#include "kernels/trace/launch.h"

namespace lanescope::results {

/// All launches of the file together, by events.
struct TimingInfo {
  int warm_up = 0, repetitions = 0;
  double median_us = 0, spread_us = 0;  ///< spread: between the quartiles
  double least_us = 0, most_us = 0;
  std::vector<double> samples_us{};  ///< each repetition, in its order; empty in earlier measurements
};

/// A buffer after the run on the GPU, compared with the emulator.
struct BufferComparison {
  std::string name;
  std::uint64_t elements = 0, different = 0;
  std::uint64_t first = 0;    ///< number of the first mismatching element
  std::string gpu, emulator;  ///< that element, as text
};

/// One counter as predicted and as measured, under the hardware's own name.
struct MetricRow {
  std::string name{}, legacy{}, unit{}, group{};
  std::string formula{};
  int line = 0;  ///< 0: the whole run
  std::optional<double> predicted{}, measured{};
  std::string cause{};  ///< why they differ, see profiling/counters/explain.h; empty: they agree, or one is not known
};

struct SassRow {
  std::string function, text;  ///< text: empty where nothing disassembles
  std::uint32_t offset = 0;    ///< bytes from the function's start
  int line = 0;
  std::uint64_t executed = 0, threads_executed = 0;
  int ptx_line = 0;   ///< of the PTX text that it was assembled from; 0: not known
  std::string ptx{};  ///< that line
};

struct OpcodeRow {
  std::string kind;            ///< "global load"
  std::uint64_t written = 0;   ///< in the code
  std::uint64_t executed = 0;  ///< warp instructions
};

/// Samples of the program counter: a share of time, not a count of events.
struct StallRow {
  int line = 0;
  std::string reason;  ///< "long_scoreboard"
  std::string words;   ///< the stall reason, as text
  std::uint64_t samples = 0;
  std::uint64_t idle = 0;  ///< of these, in cycles in which the scheduler issued nothing; 0 in all rows: not known
};

/// One access of a warp in the emulator and on the GPU; a side whose mask is 0 did not make it.
struct AccessPair {
  int line = 0;  ///< in the user's file
  std::uint32_t block = 0, warp = 0;
  std::uint64_t index = 0;    ///< n-th access of the warp, from 0
  std::string emulated, gpu;  ///< "store of 4 bytes to global memory"; empty: not made
  std::uint32_t emulated_mask = 0, gpu_mask = 0;
  /// By lane, as text that is valid for both: "y + 64" (bytes), "shared + 64"; empty for inactive lanes.
  std::vector<std::string> emulated_places, gpu_places;
};

/// A traced launch, compared with the emulator's accesses of the same program.
struct TraceInfo {
  std::uint64_t records = 0, dropped = 0, bytes = 0;
  std::string difference{};            ///< the first one, as text; empty: the same accesses, lanes and addresses
  int line = 0;                        ///< of that difference
  double plain_us = 0, traced_us = 0;  ///< medians
  std::optional<AccessPair> pair{};    ///< the access of that difference, where it is one
};

struct LaunchRow {
  std::string kernel{};
  double start_us = 0, duration_us = 0;  ///< start: from the first launch's
  trace::Dim3 grid{}, block{};
  std::uint32_t stream = 0;  ///< as in the launch header
  int registers = 0, static_shared_bytes = 0, dynamic_shared_bytes = 0, local_bytes = 0;
};

/// Calls of one function of the driver.
struct HostCallRow {
  std::string name;
  std::uint64_t calls = 0;
  double total_us = 0, average_us = 0, least_us = 0, most_us = 0;
};

/// Time of the parts of a live measurement.
struct LiveCost {
  double compile_ms = 0;  ///< reading and compiling; 0 where neither was necessary
  double measure_ms = 0;  ///< from the request to the child that stays until its answer
};

struct Measured {
  std::string device{}, arch{}, driver{};  ///< "NVIDIA H200", "sm_90", "13.0"
  int multiprocessors = 0;
  Diagnostics refused{};       ///< of parts that could not be measured
  std::string fault{};         ///< why the launch failed on the device
  int fault_line = 0;          ///< 0: not known
  std::string fault_source{};  ///< how the line is known: "the emulator stops there, too: ..."
  std::optional<TimingInfo> timing{};
  std::vector<BufferComparison> buffers{};
  std::vector<MetricRow> metrics{};  ///< the whole run first, then by ascending line
  std::size_t passes = 0;            ///< that the metrics took
  std::vector<SassRow> sass{};
  std::vector<OpcodeRow> opcodes{};
  std::vector<StallRow> stalls{};
  std::vector<LaunchRow> launches{};
  std::vector<HostCallRow> host_calls{};
  std::optional<TraceInfo> trace{};
  std::optional<LiveCost> live{};
};

/// The metric of the whole run with that name; null: not measured.
const MetricRow* whole_run(const Measured& measured, std::string_view name);

// Bandwidth achieved by each memory, by its own counters: a cache that holds the data leaves little for device memory.

struct AchievedBandwidth {
  std::string memory;              ///< "device memory", "L2", "shared memory", as RoofInfo::memory
  double bytes = 0, gb_per_s = 0;  ///< 1 GB is 10^9 bytes
  std::string from;                ///< the counters, and the time
};
/// Of the memories whose counters and the time were measured.
std::vector<AchievedBandwidth> achieved_bandwidths(const Measured& measured);

}  // namespace lanescope::results
