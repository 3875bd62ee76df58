#pragma once
// How full warps are: of every warp instruction, the number of lanes that execute it; by instruction and by line.

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <vector>

#include "kernels/trace/observer.h"
#include "kernels/trace/trace.h"

namespace lanescope::counters {

struct LaneHistogram {
  std::array<std::uint64_t, trace::lanes_per_warp + 1> instructions{};  ///< by number of active lanes, 0 to 32
  bool operator==(const LaneHistogram&) const = default;
  LaneHistogram& operator+=(const LaneHistogram& other);
  void add(std::uint32_t active);
  std::uint64_t total() const;  ///< warp instructions
};

class DivergenceCounter final : public trace::Observer {
 public:
  void on_step(const trace::Where&) override;
  std::unique_ptr<trace::Observer> part() const override { return std::make_unique<DivergenceCounter>(); }
  Atomics needs_atomics() const override { return Atomics::never; }
  void take(trace::Observer& part, std::uint64_t first_step) override;

  /// Indexed by pc; shorter than the code when its end was never reached.
  std::span<const LaneHistogram> by_instruction() const { return by_pc_; }

 private:
  std::vector<LaneHistogram> by_pc_;
};

struct DivergenceReport {
  LaneHistogram total;
  std::map<int, LaneHistogram> lines;  ///< 0: instructions whose line is not known
};
/// Adds a launch to the report. `code` are the sites of that launch's kernel, by pc.
void add(DivergenceReport& report, const DivergenceCounter& counter, std::span<const trace::CodeSite> code);

}  // namespace lanescope::counters
