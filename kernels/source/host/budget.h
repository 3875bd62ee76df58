#pragma once
// What a run may cost in steps, the budgets of its loops, and what it reports. A step is one evaluated expression, or
// `bytes_of_step` bytes that are moved or described.

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "kernels/source/host/host_run.h"
#include "kernels/source/host/memory.h"

namespace lanescope::source::host {

/// What a run reports in words, each sentence once.
class Notes {
 public:
  explicit Notes(HostRun& out) : out_(out) {}

  void add(std::string words) {
    if (out_.notes.size() < most && is_first(words)) out_.notes.push_back(std::move(words));
  }
  void assume(Assumption::Code code, int line, std::string value, std::string because) {
    const std::string name = line > 0 ? fmt::format("line {}", line) : std::string();
    if (out_.assumed.size() >= most || !is_first(fmt::format("{} {} {}", name, value, because))) return;
    out_.assumed.push_back(
        {.code = code, .kernel = {}, .name = name, .value = std::move(value), .because = std::move(because)});
  }
  bool is_first(const std::string& key) { return seen_.insert(key).second; }

 private:
  static constexpr std::size_t most = 40;
  HostRun& out_;
  std::set<std::string> seen_;
};

inline constexpr std::uint64_t bytes_of_step = 256;

/// Thrown to the loop that has exceeded its budget.
struct Abandon {
  std::size_t loop;
};
/// Thrown to the root: exit(), or the budget of the run is used up.
struct Stop {};

class Budget {
 public:
  Budget(const HostLimits& limits, Memory& memory, Notes& notes) : limits_(limits), memory_(memory), notes_(notes) {}

  void spend(std::uint64_t steps) { steps_ += steps; }
  std::uint64_t spent() const { return steps_; }
  /// Counts a step; every 256 of them the deadlines are compared.
  void step() {
    steps_ += 1 + memory_.take_work() / bytes_of_step;
    if (steps_ >= next_check_) check();
  }
  /// Steps until some loop, or the run, has used up its budget.
  std::uint64_t left() const {
    std::uint64_t end = limits_.steps;
    for (const std::uint64_t deadline : deadlines_) end = std::min(end, deadline);
    return end > steps_ ? end - steps_ : 0;
  }
  /// Its budget in steps; `after_launch`: a quarter of the usual one.
  std::uint64_t begin_loop(bool after_launch) {
    const std::uint64_t rest = limits_.steps > steps_ ? limits_.steps - steps_ : 0;
    std::uint64_t budget = std::min(limits_.loop_steps, rest / 2 + 1000) >> std::min<std::size_t>(loops(), 8);
    if (after_launch) budget /= 4;
    deadlines_.push_back(steps_ + std::max<std::uint64_t>(budget, 500));
    return budget;
  }
  std::size_t loops() const { return deadlines_.size(); }
  void end_loops(std::size_t from) { deadlines_.resize(from); }

 private:
  void check() {
    next_check_ = steps_ + 256;
    if (steps_ > limits_.steps + limits_.steps / 4) {
      notes_.add(fmt::format("it takes more than {} steps; what comes after them is left out", limits_.steps));
      throw Stop{};
    }
    for (std::size_t i = 0; i < loops(); ++i)
      if (steps_ > deadlines_[i]) throw Abandon{i};
  }

  const HostLimits& limits_;
  Memory& memory_;
  Notes& notes_;
  std::uint64_t steps_ = 0, next_check_ = 0;
  std::vector<std::uint64_t> deadlines_;
};

}  // namespace lanescope::source::host
