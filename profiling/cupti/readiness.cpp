// Whether each interface works here, else the reason and the remedy.

#include <fmt/format.h>

#include "kernels/base/enum_size.h"
#include "profiling/cupti/cupti.h"
#include "profiling/cupti/device.h"
#include "profiling/cupti/interfaces.h"
#include "profiling/cupti/session.h"

namespace lanescope::cupti {
namespace {

std::string words_of(const Diagnostics& d) { return d.empty() ? std::string() : d.front().message; }
std::string remedy_of(const Diagnostics& d) { return d.empty() ? std::string() : d.front().remedy; }

bool is_permission(const Diagnostics& d) { return remedy_of(d) == permission_remedy; }

Interface interface_of(What what) {
  switch (what) {
    case What::instructions:
      return Interface::sass_metrics;
    case What::stalls:
      return Interface::pc_sampling;
    default:
      return Interface::range_profiling;
  }
}

/// Why the device itself refuses; empty: it does not.
std::string unsupported_words(const Library& l, What what, int device) {
  DeviceSupportedArguments a{.device = device, .interface = interface_of(what)};
  if (l.cuptiProfilerDeviceSupported(&a) != 0 || a.overall == Support::supported || a.overall == Support::unknown)
    return "";
  struct Reason {
    Support support;
    const char* words;
  };
  const Reason reasons[] = {{a.architecture, "its architecture is older than compute capability 7.0"},
                            {a.sli, "it is part of an SLI group"},
                            {a.virtual_gpu, "it is a virtual GPU without profiling"},
                            {a.confidential_computing, "confidential computing is on"},
                            {a.mining_card, "it is a mining card"},
                            {a.wsl, "this version of WSL does not support counters"}};
  for (const Reason& reason : reasons)
    if (reason.support == Support::unsupported || reason.support == Support::disabled)
      return fmt::format("this GPU does not support counters: {}", reason.words);
  return "this GPU does not support counters";
}

}  // namespace

std::string_view state_name(State state) {
  constexpr std::string_view names[] = {"ready",         "no library",         "no GPU",
                                        "no permission", "unsupported device", "failed"};
  return entry_for(names, state);
}

std::string_view what_name(What what) {
  constexpr std::string_view names[] = {"counters", "counts per instruction", "stall samples", "activity records"};
  return entry_for(names, what);
}

namespace {

/// The library has the interface and, where that is needed, starts.
Expected<void> has_interface(What what) {
  const auto without_value = [](const auto& found) -> Expected<void> {
    if (!found) return tl::unexpected(found.error());
    return {};
  };
  switch (what) {
    case What::instructions:
      return without_value(sass_interface());
    case What::stalls:
      return without_value(sampling_interface());
    case What::activity:
      return without_value(activity_interface());
    case What::counters:
      break;
  }
  return {};
}

/// Switches the interface on and off once, which is where a missing permission shows.
Expected<void> try_interface(const Library& l, What what, gpu::Context context) {
  if (what == What::stalls) {
    ContextArguments a{.context = context};
    if (const Result r = (*sampling_interface())->cuptiPCSamplingEnable(&a))
      return refusal(l, r, "sampling the program counter");
    (*sampling_interface())->cuptiPCSamplingDisable(&a);
    return {};
  }
  if (what == What::activity) {
    if (const Result r = (*activity_interface())->cuptiActivityEnable(ActivityKind::kernel))
      return refusal(l, r, "recording activity");
    (*activity_interface())->cuptiActivityDisable(ActivityKind::kernel);
    return {};
  }
  if (const auto available = availability(l, context); !available) return tl::unexpected(available.error());
  return what == What::counters ? RangeSession::try_enable(l, context) : Expected<void>{};
}

}  // namespace

Readiness readiness(What what, int device) {
  Readiness r;
  const auto fail = [&](State state, const Diagnostics& why) {
    r.state = is_permission(why) ? State::no_permission : state;
    r.words = words_of(why), r.remedy = remedy_of(why);
    return r;
  };
  const auto l = library();
  if (!l) return fail(State::no_library, l.error());
  r.library = (*l)->path;
  if (auto found = has_interface(what); !found) return fail(State::no_library, found.error());
  const auto program = gpu::Program::open(device);
  if (!program) return fail(State::no_gpu, program.error());
  if (auto begun = initialize(**l); !begun) return fail(State::failed, begun.error());
  // Activity records need no counters, and every device gives them.
  std::string unsupported = what == What::activity ? "" : unsupported_words(**l, what, device);
  if (!unsupported.empty()) {
    r.state = State::unsupported_device, r.words = std::move(unsupported);
    return r;
  }
  const auto chip = chip_name(**l, device);
  if (!chip) return fail(State::failed, chip.error());
  r.chip = *chip;
  if (auto tried = try_interface(**l, what, (*program)->context()); !tried) return fail(State::failed, tried.error());
  r.state = State::ready;
  r.words = fmt::format("CUPTI supports {} on this {}", what_name(what), r.chip);
  return r;
}

}  // namespace lanescope::cupti
