#pragma once
// Numbers that threads compute for themselves: indices, bounds, predicates. A trace does not hold registers, but it holds what
// they come from (special registers, immediates, loaded values, shuffles), so that an integer is worked out again where it
// is requested. What is not worked out (floats but for comparisons, atomics, matrices) is not known.

#include <cstdint>
#include <functional>
#include <optional>
#include <unordered_map>
#include <vector>

#include "app/engine/values/instruction_facts.h"
#include "kernels/trace/trace.h"

namespace lanescope::engine {

class ThreadNumbers {
 public:
  /// The newest step before `step` of this warp at which the lane wrote the register; -1: none.
  using WriterOf = std::function<std::int64_t(std::int64_t step, std::uint32_t warp, int lane, RegisterKey reg)>;
  ThreadNumbers(const trace::Trace& trace, const ptx::Module& module, const ptx::Entry& entry, WriterOf writer);

  /// The value of a register just before a step, as its type has it (a predicate: 0 or 1); nullopt: not known.
  std::optional<std::uint64_t> before(std::int64_t step, int lane, RegisterKey reg);

 private:
  struct Site {
    const ptx::Instruction* instruction = nullptr;
    const ptx::Entry* entry = nullptr;
    RegisterKey first = 0;
  };
  std::optional<std::uint64_t> written(std::int64_t step, int lane, RegisterKey reg);
  std::optional<std::uint64_t> operand(const Site& site, const ptx::Operand& o, std::int64_t step, int lane);
  std::optional<std::uint64_t> special(ptx::Special which, std::int64_t step, int lane) const;
  std::optional<std::uint64_t> compared(const Site& site, std::int64_t step, int lane, bool second);
  std::optional<std::uint64_t> loaded(const Site& site, std::int64_t step, int lane, RegisterKey reg) const;
  std::optional<std::uint64_t> parameter(const Site& site) const;
  std::optional<std::uint64_t> computed(const Site& site, std::int64_t step, int lane);

  const trace::Trace& trace_;
  WriterOf writer_;
  std::vector<Site> sites_;
  std::unordered_map<std::uint64_t, std::optional<std::uint64_t>> known_;
  int depth_ = 0;
};

}  // namespace lanescope::engine
