#pragma once
// The three interfaces of CUPTI beside range profiling, declared as library.h declares that one: counts per
// instruction ("SASS Metrics API"), samples of the program counter ("PC Sampling API"), records of what happened
// ("Activity API"). Each is looked up at its first use, so a library without one of them still serves for
// the others. Layouts are those of CUPTI 12.6 to 13.1; interfaces.cpp checks that the declarations add up to them.

#include "profiling/cupti/library.h"

namespace lanescope::cupti {

// --- counts per instruction ------------------------------------------------------------------------------------------

struct SassProperties {
  std::size_t block_bytes = 56;
  void* reserved = nullptr;
  const char* chip = nullptr;
  const char* metric = nullptr;
  std::uint64_t id = 0;                                ///< out
  const char *name = nullptr, *description = nullptr;  ///< out
};
struct SassConfig {
  std::uint64_t id = 0;
  std::uint8_t granularity = 0;  ///< 0: one value for the whole GPU
};
struct SassSetConfigArguments {
  std::size_t block_bytes = 36;
  void* reserved = nullptr;
  std::size_t count = 0;
  SassConfig* configs = nullptr;
  std::uint32_t device_index = 0;
};
struct SassUnsetConfigArguments {
  std::size_t block_bytes = 20;
  void* reserved = nullptr;
  std::uint32_t device_index = 0;
};
struct SassEnableArguments {
  std::size_t block_bytes = 25;
  void* reserved = nullptr;
  gpu::Context context = nullptr;
  std::uint8_t at_first_launch = 1;  ///< 0: every function of the context is rewritten at once
};
struct SassDisableArguments {
  std::size_t block_bytes = 32;
  void* reserved = nullptr;
  gpu::Context context = nullptr;
  std::size_t dropped_records = 0;  ///< out
};
struct SassDataProperties {
  std::size_t block_bytes = 40;
  void* reserved = nullptr;
  gpu::Context context = nullptr;
  std::size_t records = 0, instances = 0;  ///< out
};
struct SassValue {
  std::uint64_t id = 0, value = 0;
};
struct SassRecord {
  std::size_t block_bytes = 48;
  void* reserved = nullptr;
  std::uint32_t cubin_crc = 0, function_index = 0;
  const char* function = nullptr;
  std::uint32_t offset = 0;
  SassValue* values = nullptr;  ///< instances x metrics of them
};
struct SassFlushArguments {
  std::size_t block_bytes = 40;  ///< the library's own header ends it before `data`
  void* reserved = nullptr;
  gpu::Context context = nullptr;
  std::size_t records = 0, instances = 0;
  SassRecord* data = nullptr;
};
struct SassInterface {
  Result (*cuptiSassMetricsGetProperties)(SassProperties*) = nullptr;
  Result (*cuptiSassMetricsSetConfig)(SassSetConfigArguments*) = nullptr;
  Result (*cuptiSassMetricsUnsetConfig)(SassUnsetConfigArguments*) = nullptr;
  Result (*cuptiSassMetricsEnable)(SassEnableArguments*) = nullptr;
  Result (*cuptiSassMetricsDisable)(SassDisableArguments*) = nullptr;
  Result (*cuptiSassMetricsGetDataProperties)(SassDataProperties*) = nullptr;
  Result (*cuptiSassMetricsFlushData)(SassFlushArguments*) = nullptr;
};

// --- samples of the program counter ----------------------------------------------------------------------------------

struct ContextArguments {  // enable, disable, start, stop
  std::size_t block_bytes = 24;
  void* reserved = nullptr;
  gpu::Context context = nullptr;
};
struct ReasonCountArguments {
  std::size_t block_bytes = 32;
  void* reserved = nullptr;
  gpu::Context context = nullptr;
  std::size_t* count = nullptr;
};
inline constexpr std::size_t reason_name_bytes = 128;
struct ReasonsArguments {
  std::size_t block_bytes = 48;
  void* reserved = nullptr;
  gpu::Context context = nullptr;
  std::size_t count = 0;
  std::uint32_t* indices = nullptr;
  char** names = nullptr;  ///< each with room for reason_name_bytes
};
struct SampledReason {
  std::uint32_t reason = 0, samples = 0;
};
struct SampledPc {
  std::size_t block_bytes = 64;
  std::uint64_t cubin_crc = 0, offset = 0;
  std::uint32_t function_index = 0, padding = 0;
  char* function = nullptr;
  std::size_t reason_count = 0;
  SampledReason* reasons = nullptr;
  std::uint32_t correlation = 0;
};
struct SamplingData {
  std::size_t block_bytes = 80;
  std::size_t room = 0;  ///< elements of `pcs`
  std::uint64_t samples = 0, dropped = 0;
  std::size_t count = 0, remaining = 0;
  std::uint64_t range = 0;
  SampledPc* pcs = nullptr;
  std::uint64_t elsewhere = 0;  ///< samples in kernels that are not the user's
  std::uint8_t buffer_full = 0;
};
enum class SamplingAttribute : int {
  period = 1,  ///< 5 to 31: every 2^period cycles
  reasons = 2,
  scratch_bytes = 3,
  hardware_bytes = 4,
  mode = 5,  ///< 1: kernels run side by side; 2: one after the other
  start_and_stop = 6,
  format = 7,  ///< 1: parsed
  data = 8,
};
struct SamplingSetting {
  SamplingAttribute attribute{};
  Result status = 0;
  union {
    std::uint64_t room[3];
    std::uint32_t number;
    std::size_t bytes;
    void* pointer;
    struct {
      std::size_t count;
      std::uint32_t* indices;
    } list;
  } value{};
};
struct SamplingConfigArguments {
  std::size_t block_bytes = 40;
  void* reserved = nullptr;
  gpu::Context context = nullptr;
  std::size_t count = 0;
  SamplingSetting* settings = nullptr;
};
struct SamplingDataArguments {
  std::size_t block_bytes = 32;
  void* reserved = nullptr;
  gpu::Context context = nullptr;
  SamplingData* data = nullptr;
};
struct SamplingInterface {
  Result (*cuptiPCSamplingEnable)(ContextArguments*) = nullptr;
  Result (*cuptiPCSamplingDisable)(ContextArguments*) = nullptr;
  Result (*cuptiPCSamplingStart)(ContextArguments*) = nullptr;
  Result (*cuptiPCSamplingStop)(ContextArguments*) = nullptr;
  Result (*cuptiPCSamplingGetNumStallReasons)(ReasonCountArguments*) = nullptr;
  Result (*cuptiPCSamplingGetStallReasons)(ReasonsArguments*) = nullptr;
  Result (*cuptiPCSamplingSetConfigurationAttribute)(SamplingConfigArguments*) = nullptr;
  Result (*cuptiPCSamplingGetData)(SamplingDataArguments*) = nullptr;
};

// --- machine code and source lines -----------------------------------------------------------------------------------

struct SourceLineArguments {
  std::size_t block_bytes = 64;
  const void* cubin = nullptr;
  const char* function = nullptr;
  std::size_t cubin_bytes = 0;
  std::uint32_t line = 0;  ///< out
  std::uint64_t offset = 0;
  char *file = nullptr, *folder = nullptr;  ///< out; the caller's to free()
};
using Subscriber = struct SubscriberTag*;
inline constexpr int driver_domain = 1, resource_domain = 3;  ///< CUpti_CallbackDomain
inline constexpr std::uint32_t module_loaded = 6;             ///< CUpti_CallbackIdResource
struct LoadedModule {                                         ///< CUpti_ModuleResourceData
  std::uint32_t id = 0;
  std::size_t cubin_bytes = 0;
  const char* cubin = nullptr;
};
struct ResourceEvent {  ///< CUpti_ResourceData
  gpu::Context context = nullptr;
  void* stream = nullptr;
  const LoadedModule* module = nullptr;  ///< where a module was loaded
};
struct SourceInterface {
  using Callback = void (*)(void* user, int domain, std::uint32_t id, const void* event);
  Result (*cuptiGetSassToSourceCorrelation)(SourceLineArguments*) = nullptr;
  Result (*cuptiSubscribe)(Subscriber*, Callback, void* user) = nullptr;
  Result (*cuptiUnsubscribe)(Subscriber) = nullptr;
  Result (*cuptiEnableCallback)(std::uint32_t on, Subscriber, int domain, std::uint32_t id) = nullptr;
};

// --- records of what happened ----------------------------------------------------------------------------------------

enum class ActivityKind : std::uint32_t { copy = 1, set = 2, driver_call = 4, kernel = 10 };
struct ActivityInterface {
  using Request = void (*)(std::uint8_t** buffer, std::size_t* bytes, std::size_t* most_records);
  using Complete = void (*)(gpu::Context, std::uint32_t stream, std::uint8_t* buffer, std::size_t bytes,
                            std::size_t valid_bytes);
  Result (*cuptiActivityRegisterCallbacks)(Request, Complete) = nullptr;
  Result (*cuptiActivityEnable)(ActivityKind) = nullptr;
  Result (*cuptiActivityDisable)(ActivityKind) = nullptr;
  Result (*cuptiActivityGetNextRecord)(std::uint8_t* buffer, std::size_t valid_bytes, void** record) = nullptr;
  Result (*cuptiActivityGetNumDroppedRecords)(gpu::Context, std::uint32_t stream, std::size_t*) = nullptr;
  Result (*cuptiActivityFlushAll)(std::uint32_t flag) = nullptr;
  Result (*cuptiGetCallbackName)(int domain, std::uint32_t id, const char** name) = nullptr;
};

// Errors of these: no library, or one without the interface.
Expected<const SassInterface*> sass_interface();
Expected<const SamplingInterface*> sampling_interface();
Expected<const SourceInterface*> source_interface();
/// Also refused: a version whose records are laid out in a way not known here (known: 12.6 to 12.9, 13.0 and 13.1).
Expected<const ActivityInterface*> activity_interface();
/// Whether the records of a library of this version (Library::version) can be read here.
bool knows_records_of(std::uint32_t version);

}  // namespace lanescope::cupti
