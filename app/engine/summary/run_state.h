#pragma once
// State that a session keeps between a run and the requests about it.

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "app/engine/prepare/execution.h"
#include "app/engine/prepare/prepare.h"
#include "app/engine/requests/run_result.h"
#include "app/engine/requests/time_limit.h"
#include "app/engine/summary/access_info.h"
#include "app/engine/summary/families.h"
#include "results/journey.h"
#include "results/measured.h"
#include "results/moment.h"
#include "results/summary.h"

namespace lanescope::engine {

/// A run and everything derived from it.
struct RunState {
  std::function<void(std::string_view)> progress;
  std::function<void(const RanSoFar&)> steps;
  Overdue overdue;
  bool early = true;         ///< the plain run begins while the probed program is compiled
  bool late = false;         ///< it was ended by its time limit
  bool wrong_block = false;  ///< no launch has the block to record
  bool plain_fault_rests = false, probed_fault_rests = false;  ///< the fault of that run rests on assumptions
  RunRequest request;
  RunRequest given{};  ///< the request as it came
  Prepared prepared;
  PlainRun plain;
  ProbedRun probed;
  int recorded_launch = 0;
  std::vector<Family> families;
  results::Summary summary;
  std::vector<Output> outputs;
  bool expectations_read = true;
  std::vector<review::Finding> findings;
  results::Measured hardware;           ///< where the run was on a GPU
  std::vector<trace::Buffer> emulated;  ///< contents after an emulated run where `plain.buffers` are a GPU's
  SeenAccesses seen;                    ///< of the recorded block

  /// Of real_at: (probe, family, block, iteration).
  mutable std::map<std::tuple<int, int, std::uint32_t, std::uint32_t>, claims::Real> reals;
  /// Of Session::moment: global traffic added up, by (buffer, line).
  mutable std::map<std::pair<int, int>, results::AccessTotals> totals;
  /// Of tree_of(): the last answer, and the question with its step.
  mutable std::optional<std::pair<TreeRequest, results::ValueTree>> tree;
  /// Of journeys_of(): the last answer.
  mutable std::optional<std::pair<JourneyRequest, results::Journeys>> journeys;
  /// By index in Trace::probes: how often the probe had read this word in this warp before. Filled on first use.
  mutable std::vector<std::uint32_t> iterations;

  const ProbedLaunch* recorded() const {
    const auto i = static_cast<std::size_t>(recorded_launch);
    return i < probed.launches.size() ? probed.launches[i].get() : nullptr;
  }
};

}  // namespace lanescope::engine
