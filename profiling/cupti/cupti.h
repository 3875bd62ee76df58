#pragma once
// Counters as the hardware itself counted them, by the names CUPTI gives them.
//
//   names  ->  which of them this chip has, how many times the kernel must run (passes)     no GPU needed
//   PTX, launches, buffers, names  ->  a value per launch and name                          a GPU, in a child process
//
// Measured on an H200 with CUDA 13.0: a metric that a chip does not have is distinguished from one that it has only by
// a request for it (the library answers INVALID_PARAMETER where its documentation says INVALID_METRIC_NAME; both count
// as "no such metric"); names differ by chip; a process that has used one of CUPTI's interfaces may get no or wrong
// data from the next. So a process measures once: `measure` runs in a child of its own, see child.h.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/base/diagnostic.h"
#include "kernels/trace/launch.h"

namespace lanescope::cupti {

// --- what this machine offers ----------------------------------------------------------------------------------------

enum class State : std::uint8_t {
  ready,
  no_library,          ///< CUPTI is not installed, or too old
  no_gpu,              ///< no driver or no device
  no_permission,       ///< error 35: counters are reserved for administrators
  unsupported_device,  ///< this GPU, or how it is shared (vGPU, MIG, WSL, confidential computing), has no counters
  failed,              ///< any other reason, in `words`
};
struct Readiness {
  State state = State::failed;
  std::string words, remedy;  ///< for people; the remedy is empty where nothing can be done
  std::string library;        ///< path of the library, where there is one
  std::string chip;           ///< "GH100", if the device has given it
};
/// Uses of CUPTI, each through its own interface with its own conditions; a process uses only one of them.
enum class What : std::uint8_t {
  counters,      ///< a value per launch and metric; cupti.h
  instructions,  ///< a value per machine instruction and metric; child.h
  stalls,        ///< places and reasons of waits; child.h
  activity,      ///< times of launches, copies and driver calls; child.h
};
std::string_view what_name(What what);
/// Requests the library and the device. Opens the device, so call it in a process that measures nothing afterwards.
Readiness readiness(What what = What::counters, int device = 0);
std::string_view state_name(State state);

// --- names and passes: no GPU ----------------------------------------------------------------------------------------

/// The chip name of compute capability major.minor ("GH100" for 9.0); empty if there is none.
std::string_view chip_of_capability(int major, int minor);

/// Names that are collected together, and how often the kernel runs for them.
struct PassGroup {
  std::vector<std::string> names;
  std::size_t passes = 0;
};
struct PassPlan {
  std::vector<PassGroup> groups;     ///< first those that share a single pass, then the others one by one
  std::vector<std::string> unknown;  ///< names that the chip does not have
};
/// Cuts `names` into groups so that as many as possible cost one run of the kernel; keeps the order inside a group.
Expected<PassPlan> plan_passes(const std::string& chip, const std::vector<std::string>& names);

// --- measuring -------------------------------------------------------------------------------------------------------

/// The way to repeat a kernel if the metrics need more than one pass.
enum class Replay : std::uint8_t {
  /// The library, launch by launch, restoring memory in between: each launch reads the same memory as the first time.
  /// It does not restore the device heap, so the heap's bookkeeping is wrong for a kernel that allocates.
  kernel,
  sequence,  ///< we do: the whole list of launches again from the initial buffers
};

struct Request {
  std::string ptx;  ///< with line information, where lines are needed
  std::vector<trace::Launch> launches;
  std::vector<trace::Buffer> buffers;
  std::vector<std::string> metrics;  ///< with suffix: "smsp__sass_inst_executed.sum"; see child.h for those
  int device = 0;
  bool cooperative = false;
  std::uint64_t heap_bytes = 0;  ///< of the device heap; 0: the kernels do not allocate
  Replay replay = Replay::kernel;
  What what = What::counters;
  std::string counted{};  ///< instructions: the kernel to count, where it is not the first
  int repetitions = 1;    ///< activity: how often the whole list of launches runs
  int timed = 0;  ///< live: times that the whole list is launched between events first, uncounted, while that is quick
  std::uint64_t enough_samples = 20000;  ///< stalls: the launches are repeated until there are so many,
  double seconds = 3;                    ///< but no longer than this
};

struct Measurement {
  std::string device, chip;          ///< "NVIDIA H200", "GH100"
  std::vector<std::string> metrics;  ///< those that the chip has, in the order of the request
  std::vector<std::string> unknown;  ///< those that it does not have
  std::size_t passes = 0;
  std::vector<std::vector<double>> values;  ///< [launch][metric]; not a number where the device gave none
  std::vector<float> milliseconds{};        ///< of the launches that were timed and not counted
  double setup_milliseconds = 0, run_milliseconds = 0;

  /// Sum over launches; nothing when the metric was not measured.
  std::optional<double> total(std::string_view metric) const;
};

/// Runs every launch once per pass and reads its counters. Errors: no library, no GPU, no permission, a launch that
/// failed, none of the metrics known. Call it once per process (child.h does).
Expected<Measurement> measure(const Request& request);

}  // namespace lanescope::cupti
