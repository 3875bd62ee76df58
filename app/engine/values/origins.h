#pragma once
// Where recorded values came from, step by step: the graph that leads from a value back to the elements that it was made of.
// It is demanded backwards. For a register, the newest earlier step of its warp that wrote it in its lane; for a load, the
// newest earlier store of the recorded block to each byte. A load of what that block did not store, or of what has changed
// since, is an end: identities (trace::TagPool) show what it holds.

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "app/engine/values/instruction_facts.h"
#include "kernels/trace/trace.h"
#include "results/value_tree.h"

namespace lanescope::engine {

// Numbers that threads compute for themselves: indices, bounds, predicates. A trace does not hold registers, but
// it holds their sources (special registers, immediates, loaded values, shuffles), so that an integer is computed
// again where it is requested. Other values (floats except in comparisons, atomics, matrices) are unknown.

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

using Element = std::pair<int, std::uint64_t>;  ///< buffer and element

class Origins {
 public:
  using Way = results::ValueTree::Way;
  struct Edge {
    std::int32_t to = -1;  ///< a node; -1: nothing that is known
    Way way = Way::direct;
    std::int64_t step = -1;  ///< of the shuffle or the load
  };
  struct Node {
    std::int64_t step = -1;
    std::int32_t lane = 0;
    InstructionFacts::Kind kind = InstructionFacts::Kind::none;
    std::string_view op{};         ///< of a combination
    bool adds = false;             ///< an operand 0 leaves the others as they are
    bool zero = false;             ///< the number 0
    bool other_constants = false;  ///< an operand is a number that is not 0, or not known
    RegisterKey result = ~RegisterKey{0};
    std::vector<Edge> operands{};
    std::vector<Element> ends{};  ///< of an end: elements that it depends on, ascending
    bool listed = true;           ///< false: more elements than can be listed
    std::int64_t record = -1;     ///< of an atomic operation: what memory holds after it, at `address`
    std::uint64_t address = 0;
    bool pending = false;  ///< its operands are not known yet
  };

  Origins(const trace::Trace& trace, const ptx::Module& module, const ptx::Entry& entry);
  Origins(const Origins&) = delete;
  Origins& operator=(const Origins&) = delete;

  /// The value that a probe shows. `step` is the probe's.
  Edge probed(std::int64_t step, int lane);
  /// Bytes [first, first + bytes) that a lane stored or loaded, of access record `record`.
  Edge accessed(std::size_t record, int lane, int first, int bytes);
  /// Of a word of shared memory just after `step`.
  Edge shared_word(std::int64_t step, std::uint32_t word);
  /// Follows everything requested. False: the graph is too large, and what is left out has no operands.
  bool follow();

  /// Follows one node alone, to its operands.
  const Node& expanded(std::int32_t node);
  /// Of a matrix product: all registers that can be part of it (product_lanes). A tree does not pass through it.
  std::vector<Edge> product_operands(std::int32_t node);
  const InstructionFacts& facts_at(std::int64_t step) const;
  const trace::ShuffleRecord* shuffle_at(std::int64_t step) const;  ///< nullptr: it is none

  const std::vector<Node>& nodes() const { return nodes_; }
  const trace::Trace& trace() const { return trace_; }
  /// The probe that shows this register in this lane before it is written again: an index into Trace::probes.
  std::optional<std::size_t> shown_by(std::int64_t step, int lane, RegisterKey reg) const;
  static constexpr std::size_t most_nodes = 400'000;

 private:
  struct Stored {
    std::uint64_t key = 0;
    std::uint32_t record = 0;
    auto operator<=>(const Stored&) const = default;
  };
  void index_steps();
  void index_stores();
  std::int32_t zero();
  std::int32_t combined_at(std::size_t record, const trace::AccessRecord& r, int lane, std::uint64_t address);
  /// The newest step before `step` at which the lane wrote the register; -1: none.
  std::int64_t writer(std::int64_t step, std::uint32_t warp, int lane, RegisterKey reg) const;
  Edge register_before(std::int64_t step, std::uint32_t warp, int lane, RegisterKey reg);
  Edge source_at(std::int64_t step, int lane, const InstructionFacts::Source& source);
  std::int32_t end_of(const trace::AccessRecord& r, std::size_t record, int lane, int first, int bytes);
  std::uint64_t key_of(trace::MemorySpace space, std::uint32_t warp, int lane, std::uint64_t address) const;
  std::vector<Edge> writers(std::size_t before, trace::MemorySpace space, std::uint32_t warp, int lane,
                            std::uint64_t address, int bytes, std::optional<trace::WordTag> expected, bool& all);
  Edge written(std::size_t record, const trace::AccessRecord& r, int lane, std::uint64_t byte);
  void expand(std::int32_t index);
  void expand_atomic(std::int32_t index);
  std::vector<Edge> loaded(std::int64_t step, int lane, int first, int bytes);
  std::vector<Edge> old_value(std::int64_t step, int lane, int bytes);

  const trace::Trace& trace_;
  std::vector<InstructionFacts> facts_;
  std::vector<InstructionFacts::Source> probed_;
  std::vector<std::unordered_map<RegisterKey, std::vector<std::uint32_t>>> writes_;  ///< by warp: steps, ascending
  std::vector<std::vector<std::uint32_t>> steps_of_;                                 ///< by warp, ascending
  std::vector<Stored> stores_;                                                       ///< ascending
  bool stores_known_ = true;
  std::vector<Node> nodes_;
  std::unordered_map<std::uint64_t, std::int32_t> by_key_;
  std::vector<std::int32_t> todo_;
  std::map<std::tuple<std::size_t, std::uint64_t, int>, std::int32_t> atomics_, ends_;  ///< record, place, lane
  std::int32_t zero_ = -1;
  ThreadNumbers numbers_;
};

}  // namespace lanescope::engine
