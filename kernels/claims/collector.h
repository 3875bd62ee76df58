#pragma once
// The state of Collector during a run.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "kernels/claims/check.h"
#include "kernels/claims/claims.h"
#include "kernels/claims/judge.h"
#include "kernels/claims/memory_judge.h"
#include "kernels/claims/store.h"

namespace lanescope::claims {

// The contents of any group of variables just after any probe, from the log of a block: each variable as the last probe
// before that moment saw it.

class Moments {
 public:
  explicit Moments(const BlockLog& log);
  std::size_t entries() const { return count_; }
  /// Largest number of executions of the probe by a lane of the block.
  std::uint32_t iterations(int probe) const;
  /// Empty where the probe did not run in that iteration. Lanes that did not run it are left out.
  Snapshot at(const BlockLog& log, int probe, std::uint32_t block, std::uint32_t iteration,
              std::span<const ProbeWords::Word> words) const;

 private:
  struct Moment {
    std::uint64_t step = 0;
    std::uint32_t mask = 0;
    std::uint32_t pc = 0;
  };
  std::size_t count_ = 0;
  std::map<std::pair<int, std::uint32_t>, std::map<std::uint32_t, Moment>> moments_;  ///< (probe, iteration) -> warp
  std::map<std::tuple<int, int, std::uint32_t>, std::vector<std::uint32_t>>
      words_;  ///< (variable, offset, warp) -> entries
  std::map<int, std::uint32_t> iterations_;
};

/// Bytes kept at most. Beyond `groups`, the oldest instances are judged at once and dropped unless they fail; beyond
/// `log`, later blocks and iterations are not available to `real_at`.
struct Budget {
  std::size_t groups = std::size_t{256} << 20;
  std::size_t log = std::size_t{96} << 20;
  std::size_t live_blocks = 4096;
};

struct GroupKey {
  int probe = 0;
  std::uint32_t block = 0, iteration = 0;
  bool operator==(const GroupKey&) const = default;
};
struct GroupKeyHash {
  std::size_t operator()(const GroupKey& k) const {
    std::uint64_t h =
        (std::uint64_t{k.block} << 32 | k.iteration) + static_cast<std::uint64_t>(k.probe) * 0x9e3779b97f4a7c15u;
    h ^= h >> 29;
    h *= 0xbf58476d1ce4e5b9u;
    return static_cast<std::size_t>(h ^ h >> 32);
  }
};

struct Collector::State {
  State(const source::Source& source, const trace::TagPool& pool, std::vector<int> value_bytes, std::vector<int> lines);

  /// State of a block while its warps run.
  struct LiveBlock {
    Iterations iterations;
    struct Writer {
      std::uint64_t step = 0;
      std::int32_t probe = -1;
      std::uint32_t hash = 0;
    };
    std::vector<Writer> writers;  ///< [warp][word of all variables]: the statement after which the word was as it is
  };

  void take(const trace::ProbeEvent& e);
  void take_claim_word(const trace::ProbeEvent& e, const ProbeWords& words, int slot,
                       const std::vector<Iterations::Part>& parts, const LiveBlock::Writer& writer);
  void log(const trace::ProbeEvent& e, const std::vector<Iterations::Part>& parts);
  LiveBlock& live(std::uint32_t block);
  LiveBlock::Writer& writer_of(LiveBlock& block, const trace::ProbeEvent& e);
  /// The watch probe that follows the same statement as the claim probe `probe` and reads `variable`; -1: none.
  int twin(std::size_t probe, int variable) const;
  void fold_oldest();
  std::optional<Steer> steer_of(std::uint32_t block) const;
  /// Instances that were not folded, by probe, each list by block and iteration.
  std::vector<std::vector<std::shared_ptr<const Group>>> groups_by_probe() const;
  std::vector<ClaimResult> judge() const;
  void of_memory(ClaimResult& result, const source::Claim& claim) const;
  bool seen_whole(const source::Claim& claim) const;
  /// A guessed variable refutes no claim: a comment that names no variable may mean another one.
  static void variable_was_guessed(ClaimResult& result, const source::Claim& claim);
  const ProbeWords* words_of_probe(int id) const;
  const Moments* moments_of(std::uint32_t block) const;  ///< nullptr: the block is not in the log
  /// Empty where the probe did not run there, or the log does not reach so far.
  Snapshot snapshot_at(int probe, std::span<const int> variables, std::uint32_t block, std::uint32_t iteration) const;

  Setting setting;
  Budget budget;
  std::vector<ProbeWords> probes;                 ///< by probe id
  std::vector<std::size_t> first_counter;         ///< by probe id
  std::vector<std::vector<int>> judges_of_probe;  ///< by probe id; empty for watch probes
  /// By probe id: watch probes at the place of a claim probe. The claim probe runs first, after the write.
  std::vector<std::vector<const source::ProbePoint*>> twins;
  std::vector<std::size_t> first_word;  ///< by variable id
  std::size_t counters = 0, variable_words = 0;

  std::unordered_map<std::uint32_t, LiveBlock> live_blocks;
  std::deque<std::uint32_t> live_order;
  std::uint32_t last_live = ~0u;
  LiveBlock* last_live_block = nullptr;

  std::unordered_map<GroupKey, std::shared_ptr<Group>, GroupKeyHash> groups;
  std::deque<GroupKey> group_order;
  std::size_t group_bytes = 0;
  std::vector<Judge> judges;  ///< one per claim and probe of it, in order, with its results so far
  MemoryPlaces places;
  std::vector<std::unique_ptr<AccessJudge>> memory;  ///< one per claim about memory, once memory is watched

  std::map<std::uint32_t, BlockLog> logs;            ///< by block
  mutable std::map<std::uint32_t, Moments> moments;  ///< index of each log, made on request
  std::size_t log_bytes = 0;
  std::uint32_t highest_block = 0;
  bool log_full = false;
  std::map<std::uint32_t, Steer> steers;
  bool tags_seen = false, events_seen = false;
  const std::atomic<bool>* stop = nullptr;
  bool stopped() const { return stop != nullptr && stop->load(std::memory_order_relaxed); }

  /// Where not every block was.
  struct Watched {
    std::string blocks, why;
    void leave_unchecked(ClaimResult& result) const;
  };
  std::string repeated;            ///< "in 2 of 64 blocks, which the others repeat"; empty: no block repeats another
  bool folded = false;             ///< instances were dropped
  std::optional<Watched> ran;      ///< blocks whose accesses were observed
  std::optional<Watched> watched;  ///< identities were followed there; nullopt: wherever a block ran
  const std::optional<Watched>& seen_of(const source::Claim& claim) const;

  /// Where threads stopped early.
  struct Stopped {
    std::vector<int> probes;   ///< that some thread might still have reached, ascending
    std::vector<bool> claims;  ///< by claim: one of them is its own
    std::string why;
    void leave_unchecked(ClaimResult& result) const;
  };
  std::optional<Stopped> early;
  bool unfinished(int probe) const { return early && std::ranges::binary_search(early->probes, probe); }
};

// The moment that a comment describes. It is the place of the comment; but comments are also written above the
// statements whose result they describe. Such a comment is false at its place and true after those statements.
//
// A wrong comment can be true by accident after the next exchange, so that it has to be clear that the later moment is
// meant. It is where the words look forward or speak of the step itself, and where no assignment of any kind describes
// what is there at the comment (nothing, or half of a transpose), which cannot be meant. In every other case the
// comment is judged at its place, and the later moment is mentioned in a remark.

struct AtMoment {
  ClaimResult result;
  int line = 0;  ///< of the statement whose effect is judged
};

/// One claim at the comment, then after each of the writes that follow, in text order. A moment is judged when it is
/// first requested: where the comment is true, those after it are not needed.
class MomentsOfClaim {
 public:
  MomentsOfClaim(std::size_t count, std::function<AtMoment(std::size_t)> judge)
      : judge_(std::move(judge)), at_(count) {}

  std::size_t size() const { return at_.size(); }
  AtMoment& operator[](std::size_t moment) {
    if (!at_[moment]) at_[moment] = judge_(moment);
    return *at_[moment];
  }

 private:
  std::function<AtMoment(std::size_t)> judge_;
  std::vector<std::optional<AtMoment>> at_;
};

/// `at`: at least one moment. `forward`: the words that look forward; empty when there are none. `of_step`: the words
/// describe a step and leave open which side of it they mean, so that the comment is true if it is true on one of them.
ClaimResult at_the_moment_meant(MomentsOfClaim at, const std::string& forward, bool of_step = false);

}  // namespace lanescope::claims
