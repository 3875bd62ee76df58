#pragma once
// CUPTI, opened at run time. Only this folder has its names; on a machine without it an error reports that.
//
// No CUPTI header is needed to build: the used declarations are here. Every call takes one block of arguments that
// begins with its own size, by which the library finds the fields that the caller has; a block's size ends at
// its last field, without padding. The sizes are facts of CUPTI 12.6 to 13.0 on 64-bit machines (CUPTI documentation,
// "CUPTI Range Profiling API" and "CUPTI Profiler Host API"); library.cpp checks that the declarations add up to them.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "kernels/base/diagnostic.h"
#include "kernels/gpu/driver.h"

namespace lanescope::cupti {

using Result = int;  ///< CUptiResult; 0 is success
namespace result {
inline constexpr Result insufficient_privileges = 35, virtual_device_insufficient_privileges = 40;
}

using HostObject = struct HostObjectTag*;
using RangeProfiler = struct RangeProfilerTag*;

struct PlainArguments {  // cuptiProfilerInitialize, cuptiProfilerDeInitialize
  std::size_t block_bytes = 16;
  void* reserved = nullptr;
};

// --- the device ------------------------------------------------------------------------------------------------------

struct ChipNameArguments {
  std::size_t block_bytes = 32;
  void* reserved = nullptr;
  std::size_t device_index = 0;
  const char* chip = nullptr;  ///< out: "GH100"
};

/// 0 unknown, 1 cannot, 2 could but is switched off, 3 can.
enum class Support : int { unknown, unsupported, disabled, supported };
/// The interface that DeviceSupportedArguments is about.
enum class Interface : int { range_profiling, pc_sampling, sass_metrics, pm_sampling };
struct DeviceSupportedArguments {
  std::size_t block_bytes = 52;
  void* reserved = nullptr;
  gpu::DeviceHandle device = 0;
  Support overall{}, architecture{}, sli{}, virtual_gpu{}, confidential_computing{}, mining_card{}, wsl{};  ///< out
  Interface interface {};
};

struct AvailabilityArguments {
  std::size_t block_bytes = 40;
  void* reserved = nullptr;
  gpu::Context context = nullptr;
  std::size_t image_bytes = 0;  ///< out while `image` is null
  std::uint8_t* image = nullptr;
};

// --- the host side: names, passes, values; no GPU needed -------------------------------------------------------------

struct HostInitializeArguments {
  std::size_t block_bytes = 48;
  void* reserved = nullptr;
  int profiler = 0;  ///< 0: range profiler
  const char* chip = nullptr;
  const std::uint8_t* availability = nullptr;  ///< null: that of the library for the chip
  HostObject host = nullptr;                   ///< out
};
struct HostArguments {  // cuptiProfilerHostDeinitialize
  std::size_t block_bytes = 24;
  void* reserved = nullptr;
  HostObject host = nullptr;
};
struct AddMetricsArguments {
  std::size_t block_bytes = 40;
  void* reserved = nullptr;
  HostObject host = nullptr;
  const char** names = nullptr;
  std::size_t count = 0;
};
struct ConfigSizeArguments {
  std::size_t block_bytes = 32;
  void* reserved = nullptr;
  HostObject host = nullptr;
  std::size_t config_bytes = 0;  ///< out
};
struct ConfigArguments {
  std::size_t block_bytes = 40;
  void* reserved = nullptr;
  HostObject host = nullptr;
  std::size_t config_bytes = 0;
  std::uint8_t* config = nullptr;
};
struct PassesArguments {
  std::size_t block_bytes = 40;
  void* reserved = nullptr;
  std::size_t config_bytes = 0;
  std::uint8_t* config = nullptr;
  std::size_t passes = 0;  ///< out
};
struct EvaluateArguments {
  std::size_t block_bytes = 72;
  void* reserved = nullptr;
  HostObject host = nullptr;
  const std::uint8_t* data = nullptr;
  std::size_t data_bytes = 0, range = 0;
  const char** names = nullptr;
  std::size_t count = 0;
  double* values = nullptr;
};

// --- the device side: ranges -----------------------------------------------------------------------------------------

struct RangeEnableArguments {
  std::size_t block_bytes = 32;
  void* reserved = nullptr;
  gpu::Context context = nullptr;
  RangeProfiler profiler = nullptr;  ///< out
};
struct RangeArguments {  // disable, start, pop
  std::size_t block_bytes = 24;
  void* reserved = nullptr;
  RangeProfiler profiler = nullptr;
};
struct RangeStopArguments {
  std::size_t block_bytes = 41;
  void* reserved = nullptr;
  RangeProfiler profiler = nullptr;
  std::size_t pass = 0, nesting_level = 0;
  std::uint8_t all_passes_submitted = 0;  ///< out
};
struct PushRangeArguments {
  std::size_t block_bytes = 32;
  void* reserved = nullptr;
  RangeProfiler profiler = nullptr;
  const char* name = nullptr;
};
/// Begin and end of a range, and the way to repeat it for the next pass.
enum class RangeMode : int { one_per_kernel = 1, named_by_caller = 2 };
enum class ReplayMode : int { library_replays_kernel = 2, caller_replays = 3 };
struct SetConfigArguments {
  std::size_t block_bytes = 90;
  void* reserved = nullptr;
  RangeProfiler profiler = nullptr;
  std::size_t config_bytes = 0;
  const std::uint8_t* config = nullptr;
  std::size_t data_bytes = 0;
  std::uint8_t* data = nullptr;
  RangeMode range{};
  ReplayMode replay{};
  std::size_t ranges_per_pass = 0;
  std::uint16_t nesting_levels = 1, lowest_nesting_level = 1;
  std::size_t pass = 0;
  std::uint16_t target_nesting_level = 0;
};
struct DecodeArguments {
  std::size_t block_bytes = 32;
  void* reserved = nullptr;
  RangeProfiler profiler = nullptr;
  std::size_t dropped_ranges = 0;  ///< out
};
struct DataSizeArguments {
  std::size_t block_bytes = 64;
  void* reserved = nullptr;
  RangeProfiler profiler = nullptr;
  const char** names = nullptr;
  std::size_t count = 0, ranges = 0;
  std::uint32_t tree_nodes = 0;  ///< at least `ranges`
  std::size_t data_bytes = 0;    ///< out
};
struct DataInitializeArguments {
  std::size_t block_bytes = 40;
  void* reserved = nullptr;
  RangeProfiler profiler = nullptr;
  std::size_t data_bytes = 0;
  std::uint8_t* data = nullptr;
};
struct DataInfoArguments {
  std::size_t block_bytes = 40;
  void* reserved = nullptr;
  const std::uint8_t* data = nullptr;
  std::size_t data_bytes = 0, ranges = 0;  ///< ranges: out
};
struct RangeInfoArguments {
  std::size_t block_bytes = 56;
  void* reserved = nullptr;
  const std::uint8_t* data = nullptr;
  std::size_t data_bytes = 0, range = 0;
  const char* delimiter = "/";
  const char* name = nullptr;  ///< out: the caller's name, or the kernel's index as digits
};

/// The functions that are used, each with what it takes; every one gives a Result. One a row:
// clang-format off
#define LS_CUPTI_FUNCTIONS(f)                                               \
  f(cuptiGetVersion, std::uint32_t*)                                        \
  f(cuptiGetResultString, Result, const char**)                             \
  f(cuptiDeviceGetChipName, ChipNameArguments*)                             \
  f(cuptiProfilerInitialize, PlainArguments*)                               \
  f(cuptiProfilerDeInitialize, PlainArguments*)                             \
  f(cuptiProfilerDeviceSupported, DeviceSupportedArguments*)                \
  f(cuptiProfilerGetCounterAvailability, AvailabilityArguments*)            \
  f(cuptiProfilerHostInitialize, HostInitializeArguments*)                  \
  f(cuptiProfilerHostDeinitialize, HostArguments*)                          \
  f(cuptiProfilerHostConfigAddMetrics, AddMetricsArguments*)                \
  f(cuptiProfilerHostGetConfigImageSize, ConfigSizeArguments*)              \
  f(cuptiProfilerHostGetConfigImage, ConfigArguments*)                      \
  f(cuptiProfilerHostGetNumOfPasses, PassesArguments*)                      \
  f(cuptiProfilerHostEvaluateToGpuValues, EvaluateArguments*)               \
  f(cuptiRangeProfilerEnable, RangeEnableArguments*)                        \
  f(cuptiRangeProfilerDisable, RangeArguments*)                             \
  f(cuptiRangeProfilerStart, RangeArguments*)                               \
  f(cuptiRangeProfilerStop, RangeStopArguments*)                            \
  f(cuptiRangeProfilerPushRange, PushRangeArguments*)                       \
  f(cuptiRangeProfilerPopRange, RangeArguments*)                            \
  f(cuptiRangeProfilerSetConfig, SetConfigArguments*)                       \
  f(cuptiRangeProfilerDecodeData, DecodeArguments*)                         \
  f(cuptiRangeProfilerGetCounterDataSize, DataSizeArguments*)               \
  f(cuptiRangeProfilerCounterDataImageInitialize, DataInitializeArguments*) \
  f(cuptiRangeProfilerGetCounterDataInfo, DataInfoArguments*)               \
  f(cuptiRangeProfilerCounterDataGetRangeInfo, RangeInfoArguments*)
// clang-format on

struct Library {
#define LS_DECLARE(name, ...) Result (*name)(__VA_ARGS__) = nullptr;
  LS_CUPTI_FUNCTIONS(LS_DECLARE)
#undef LS_DECLARE

  void* handle = nullptr;     ///< of the opened library, for the interfaces that are looked up apart
  std::string path;           ///< of the file that was opened
  std::uint32_t version = 0;  ///< 130000 and up for CUDA 13.0, 26 and the like before 13
};

/// Opens CUPTI once per process: by name, then in $CUDA_HOME, $CUDA_PATH and /usr/local/cuda*. Errors: not on this
/// machine, or older than the interfaces used here (CUDA 12.6); the remedy says what would change it.
Expected<const Library*> library();

/// Where CUDA Toolkits are: $CUDA_HOME, $CUDA_PATH, then /usr/local/cuda*, newest first.
std::vector<std::filesystem::path> toolkit_folders();

/// "CUPTI_ERROR_INSUFFICIENT_PRIVILEGES (35)"
std::string result_words(const Library& library, Result result);

/// The remedy for results 35 and 40: the permission to read hardware counters.
extern const char* const permission_remedy;

/// `doing` failed with `status`, as an error whose remedy fits it.
tl::unexpected<Diagnostics> refusal(const Library& library, Result status, std::string_view doing);

}  // namespace lanescope::cupti
