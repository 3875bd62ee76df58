#pragma once
// Notices: limits of an answer, and remarks on it.

#include "kernels/base/coded.h"

namespace lanescope::results {

enum class NoticeCode : std::uint8_t {
  none,
  options,
  compiled_as_part,
  expectation_elsewhere,
  grids_unknown,
  too_many_grids,
  run_cut,
  part_recorded,
  later_steps_not_shown,
  timeline_cut,
  elements_followed_in_part,
  memory_instructions_differ,
  probe_not_compiled,
  no_visible_result,
  emulator_refused,
  emulator_stopped,
  gpu_claims,
  gpu_first_launch_only,
  gpu_not_watched,
  gpu_accesses_differ,
};

inline constexpr Sentence notice_sentences[] = {
    {"none", ""},
    {"options", "{}"},
    {"compiled-as-part", "{} does not compile alone: it was compiled as a part of {}, which includes it"},
    {"expectation-elsewhere", "expected results of the launch header are stated for {}, and are not compared here"},
    {"grids-unknown", "not all child grids are known: the run that finds them was cut in launch {} of the host ({})"},
    {"too-many-grids",
     "kernels launch {} grids, too many to be launches of their own: they run as part of the launch of the host, "
     "without counters, steps, claims and findings of their own"},
    {"run-cut", "{}"},
    {"part-recorded",
     "of block {} the steps from {} to {} are recorded{}; divergences and waits are known only for parts from the "
     "beginning"},
    {"later-steps-not-shown", "block {} has more than {} steps: later steps were executed but are not shown"},
    {"timeline-cut", "the timeline shows the first {} of {} steps"},
    {"elements-followed-in-part", "elements were followed in {}: {}"},
    {"memory-instructions-differ",
     "{}: the plain PTX has {}, the instrumented PTX {}; counters are those of the plain PTX"},
    {"probe-not-compiled", "{}: its variables cannot be read at this position: the probe does not compile"},
    {"no-visible-result",
     "launch {} ({}) stores nothing in global memory and prints nothing: it has no visible result"},
    {"emulator-refused", "the emulator cannot run the kernel: {}"},
    {"emulator-stopped", "the emulator cannot run the kernel to its end: {}"},
    {"gpu-claims", "on the GPU, {}"},
    {"gpu-first-launch-only",
     "on the GPU, claims are checked in the first launch only: its allocations in the device heap end with it"},
    {"gpu-not-watched", "the accesses shown are those of the emulator: {}"},
    {"gpu-accesses-differ", "the accesses on the GPU differ from those in the emulator: {}"},
};
static_assert(names_enumerators<NoticeCode>(notice_sentences, [](const Sentence& s) { return s.name; }));
constexpr const Sentence& sentence_of(NoticeCode code) { return entry_for(notice_sentences, code); }

using Notice = Coded<NoticeCode>;

/// Of the block and the steps that are recorded: another recording has other ones.
constexpr bool is_of_recording(NoticeCode code) {
  return code >= NoticeCode::part_recorded && code <= NoticeCode::timeline_cut;
}

}  // namespace lanescope::results
