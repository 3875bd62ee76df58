#include "profiling/cupti/interfaces.h"

#include <dlfcn.h>
#include <fmt/format.h>

namespace lanescope::cupti {
namespace {

// NOLINTBEGIN(bugprone-macro-parentheses,bugprone-sizeof-expression): names of types and members, sizes of pointers
#define LS_BLOCK_ENDS_AT(block, last) \
  static_assert(offsetof(block, last) + sizeof(block{}.last) == block{}.block_bytes, #block " has another layout")
LS_BLOCK_ENDS_AT(SassProperties, description);
LS_BLOCK_ENDS_AT(SassSetConfigArguments, device_index);
LS_BLOCK_ENDS_AT(SassUnsetConfigArguments, device_index);
LS_BLOCK_ENDS_AT(SassEnableArguments, at_first_launch);
LS_BLOCK_ENDS_AT(SassDisableArguments, dropped_records);
LS_BLOCK_ENDS_AT(SassDataProperties, instances);
LS_BLOCK_ENDS_AT(SassRecord, values);
LS_BLOCK_ENDS_AT(SassFlushArguments, instances);
LS_BLOCK_ENDS_AT(ContextArguments, context);
LS_BLOCK_ENDS_AT(ReasonCountArguments, count);
LS_BLOCK_ENDS_AT(ReasonsArguments, names);
LS_BLOCK_ENDS_AT(SamplingConfigArguments, settings);
LS_BLOCK_ENDS_AT(SamplingDataArguments, data);
LS_BLOCK_ENDS_AT(SourceLineArguments, folder);
// NOLINTEND(bugprone-macro-parentheses,bugprone-sizeof-expression)
#undef LS_BLOCK_ENDS_AT
static_assert(sizeof(SassConfig) == 16 && sizeof(SassValue) == 16);
static_assert(sizeof(SampledReason) == 8 && sizeof(SampledPc) == 64 && sizeof(SamplingData) == 80);
static_assert(sizeof(SamplingSetting) == 32 && offsetof(SamplingSetting, value) == 8);

/// Looks symbols up in the opened library and remembers the first that is missing.
class Finder {
 public:
  explicit Finder(const Library& library) : library_(library) {}
  template <class F>
  void find(F& slot, const char* name) {
    slot = reinterpret_cast<F>(dlsym(library_.handle, name));
    if (!slot && missing_.empty()) missing_ = name;
  }
  /// Why the interface is not to be had; empty where it is.
  std::string problem(const char* what) const {
    return missing_.empty() ? ""
                            : fmt::format("the CUPTI in {} cannot {}: it has no {}", library_.path, what, missing_);
  }

 private:
  const Library& library_;
  std::string missing_;
};

const char* const newer_toolkit = "install the CUDA Toolkit 12.6 or newer";

template <class I>
struct Found {
  I interface {};
  Diagnostics problem;
};

template <class I>
Expected<const I*> answer(const Found<I>& found) {
  if (!found.problem.empty()) return tl::unexpected(found.problem);
  return &found.interface;
}

#define LS_FIND(name) finder.find(found.interface.name, #name)
template <class I, class Fill>
Found<I> look_up(const char* what, Fill fill) {
  Found<I> found;
  const auto l = library();
  if (!l) {
    found.problem = l.error();
    return found;
  }
  Finder finder(**l);
  fill(finder, found);
  if (std::string why = finder.problem(what); !why.empty())
    found.problem = failure(std::move(why), newer_toolkit).value();
  return found;
}

}  // namespace

Expected<const SassInterface*> sass_interface() {
  static const auto all = look_up<SassInterface>("count per instruction", [](Finder& finder, auto& found) {
    LS_FIND(cuptiSassMetricsGetProperties);
    LS_FIND(cuptiSassMetricsSetConfig);
    LS_FIND(cuptiSassMetricsUnsetConfig);
    LS_FIND(cuptiSassMetricsEnable);
    LS_FIND(cuptiSassMetricsDisable);
    LS_FIND(cuptiSassMetricsGetDataProperties);
    LS_FIND(cuptiSassMetricsFlushData);
  });
  return answer(all);
}

Expected<const SamplingInterface*> sampling_interface() {
  static const auto all = look_up<SamplingInterface>("sample the program counter", [](Finder& finder, auto& found) {
    LS_FIND(cuptiPCSamplingEnable);
    LS_FIND(cuptiPCSamplingDisable);
    LS_FIND(cuptiPCSamplingStart);
    LS_FIND(cuptiPCSamplingStop);
    LS_FIND(cuptiPCSamplingGetNumStallReasons);
    LS_FIND(cuptiPCSamplingGetStallReasons);
    LS_FIND(cuptiPCSamplingSetConfigurationAttribute);
    LS_FIND(cuptiPCSamplingGetData);
  });
  return answer(all);
}

Expected<const SourceInterface*> source_interface() {
  static const auto all =
      look_up<SourceInterface>("report machine code and its source lines", [](Finder& finder, auto& found) {
        LS_FIND(cuptiGetSassToSourceCorrelation);
        LS_FIND(cuptiSubscribe);
        LS_FIND(cuptiUnsubscribe);
        LS_FIND(cuptiEnableCallback);
      });
  return answer(all);
}

bool knows_records_of(std::uint32_t version) {
  const bool cuda_12 = version >= 24 && version < 100;         // from 12.6: CUpti_ActivityKernel9
  const bool cuda_13 = version >= 130000 && version < 130200;  // CUpti_ActivityKernel10; 13.2 has another
  return cuda_12 || cuda_13;
}

Expected<const ActivityInterface*> activity_interface() {
  static const auto all = look_up<ActivityInterface>("record activity", [](Finder& finder, auto& found) {
    LS_FIND(cuptiActivityRegisterCallbacks);
    LS_FIND(cuptiActivityEnable);
    LS_FIND(cuptiActivityDisable);
    LS_FIND(cuptiActivityGetNextRecord);
    LS_FIND(cuptiActivityGetNumDroppedRecords);
    LS_FIND(cuptiActivityFlushAll);
    LS_FIND(cuptiGetCallbackName);
  });
  if (const auto l = library(); l && !knows_records_of((*l)->version))
    return failure(fmt::format("the layout of the activity records of CUPTI {} is not known", (*l)->version),
                   "use the CUPTI of CUDA 12.6 to 13.1, by CUDA_HOME");
  return answer(all);
}
#undef LS_FIND

}  // namespace lanescope::cupti
