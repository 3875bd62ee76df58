// The actual contents of a group of registers, without any claim.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "kernels/claims/actual.h"
#include "kernels/claims/collector.h"

namespace lanescope::claims {

const Moments* Collector::State::moments_of(std::uint32_t block) const {
  const auto log = logs.find(block);
  if (log == logs.end()) return nullptr;
  const auto it = moments.find(block);
  if (it != moments.end() && it->second.entries() == log->second.entries.size()) return &it->second;
  return &moments.insert_or_assign(block, Moments(log->second)).first->second;
}

Snapshot Collector::State::snapshot_at(int probe, std::span<const int> variables, std::uint32_t block,
                                       std::uint32_t iteration) const {
  const Moments* m = moments_of(block);
  if (m == nullptr) return {.block = block, .iteration = iteration, .warps = {}};
  return m->at(logs.at(block), probe, block, iteration, words_of(variables, setting.value_bytes));
}

Real Collector::real_at(int probe, const std::vector<int>& variables, std::uint32_t block,
                        std::uint32_t iteration) const {
  Real real;
  const State& s = *state_;
  if (!s.tags_seen && s.events_seen) {
    real.words = "the run has no provenance of elements";
    return real;
  }
  const Snapshot snapshot = s.snapshot_at(probe, variables, block, iteration);
  if (snapshot.warps.empty()) {
    real.words =
        s.log_full ? fmt::format("the record of block {} was discarded", block) : "no thread executed this line";
    return real;
  }
  Reader reader(*s.setting.pool);
  real.buffer = first_buffer(snapshot, reader);
  const LogicalBits* logical = s.setting.logical(real.buffer);
  if (logical == nullptr) {
    real.words = real.buffer < 0 ? "holds no element of a traced buffer" : "its buffer is not in the launch header";
    return real;
  }
  real.element_bits = s.setting.element_bits(real.buffer);
  const Geometry geometry = natural_geometry(variables, s.setting, real.element_bits, snapshot, reader);
  const Seen seen = observe(std::span(&snapshot, 1), geometry, real.buffer, *logical, reader, {});
  real.computed = seen.computed;
  if (seen.observations.empty()) {
    real.words = "none of the places holds exactly one element";
    return real;
  }
  const auto answer = layout::infer({seen.shape, seen.names, seen.observations});
  if (const auto* wrong = std::get_if<layout::Counterexample>(&answer)) {
    real.words = "no affine map: " + wrong->words;
    return real;
  }
  if (seen.skipped != 0) {
    real.words = fmt::format("{} of {} places do not hold exactly one element", seen.skipped,
                             seen.skipped + seen.observations.size());
    return real;
  }
  const auto& inference = std::get<layout::Inference>(answer);
  real.assignment = without_empty_rows(inference.assignment);
  real.words = layout::print_line(*real.assignment);
  if (!inference.unsaid.empty())
    real.words += fmt::format(" ({} follows the others)", fmt::join(inference.unsaid, ", "));
  if (seen.computed) real.words += " (values computed from these elements)";
  return real;
}

}  // namespace lanescope::claims
