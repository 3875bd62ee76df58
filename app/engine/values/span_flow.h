#pragma once
// The flow of values through a few consecutive instructions of one warp, followed forwards: for every register that a probe shows
// and everything that is stored, the registers that were there before, and the bytes that were loaded, which it was made of.
// Nothing before the span is looked at, so that a question costs what the span costs, not what the run does.

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "app/engine/values/instruction_facts.h"
#include "kernels/trace/trace.h"

namespace lanescope::engine {

class SpanFlow {
 public:
  /// The operands of a value.
  struct Leaf {
    enum class Kind : std::uint8_t { live_in, loaded };
    Kind kind = Kind::live_in;
    std::uint8_t lane = 0;              ///< in which it was
    RegisterKey reg = 0;                ///< live_in: the register
    std::uint32_t record = 0;           ///< loaded: index in Trace::accesses,
    std::int32_t first = 0, bytes = 0;  ///< and which bytes of the lane's,
    std::uint8_t bit = 0;               ///< that lie in the register from this bit on
    auto operator<=>(const Leaf&) const = default;
  };
  struct Value {
    std::uint32_t set = 0;  ///< of leaves; 0: none
    bool copied = false;    ///< it was only moved on the way, never computed with
    std::uint8_t bit = 0;   ///< of a half that is stored by stmatrix: where in the register it is
    bool known = true;      ///< false: instructions took part that are not followed, or too many leaves
  };
  /// A probe's word in some lanes.
  struct Shown {
    std::size_t record = 0;  ///< index in Trace::probes
    std::array<Value, trace::lanes_per_warp> values{};
  };
  /// The values that a store, an atomic or a copy wrote: elements of `element_bytes`, value [element * 32 + lane].
  struct Stored {
    std::size_t record = 0;  ///< index in Trace::accesses
    int element_bytes = 4;
    std::vector<Value> values{};
  };

  /// Steps (from, to] of `warp`. `facts` and `probed` as instruction_facts and probed_registers give them.
  SpanFlow(const trace::Trace& trace, std::span<const InstructionFacts> facts,
           std::span<const InstructionFacts::Source> probed, std::int64_t from, std::int64_t to, std::uint32_t warp);

  const std::vector<Shown>& shown() const { return shown_; }  ///< in the order of the steps
  const std::vector<Stored>& stored() const { return stored_; }
  std::uint32_t set_count() const { return static_cast<std::uint32_t>(sets_.size()); }
  const std::vector<Leaf>& leaves(std::uint32_t set) const { return sets_[set]; }
  /// By destination lane: the lanes whose registers shuffles read, of this span.
  std::uint32_t lanes_read(int lane) const { return lanes_read_[static_cast<std::size_t>(lane)]; }
  /// Not empty: the span is too long, and nothing was followed.
  const std::string& refused() const { return refused_; }

  static constexpr std::size_t most_steps = 4096, most_leaves = 64;

 private:
  std::uint32_t intern(std::vector<Leaf> leaves);
  Value joined(Value a, Value b);
  Value value_of(const InstructionFacts::Source& source, int lane);
  Value in_register(RegisterKey reg, int lane);
  void step(std::int64_t at);
  Value result(const InstructionFacts& f, std::size_t number, int lane, std::int64_t step,
               const trace::ShuffleRecord* shuffle, std::uint32_t active);
  void store(const InstructionFacts& f, std::int64_t step, std::uint32_t active);

  const trace::Trace& trace_;
  std::span<const InstructionFacts> facts_;
  std::span<const InstructionFacts::Source> probed_;
  std::unordered_map<std::uint64_t, Value> registers_;  ///< written in the span: register * 32 + lane
  std::vector<std::vector<Leaf>> sets_{{}};
  std::map<std::vector<Leaf>, std::uint32_t> known_sets_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> unions_;
  std::vector<Shown> shown_;
  std::vector<Stored> stored_;
  std::array<std::uint32_t, trace::lanes_per_warp> lanes_read_{};
  std::string refused_;
};

}  // namespace lanescope::engine
