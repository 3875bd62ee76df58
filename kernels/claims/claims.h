#pragma once
// Claims of a source against what a run showed, and the assignment that is really there.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "kernels/layout/infer.h"
#include "kernels/source/source.h"
#include "kernels/trace/observer.h"

namespace lanescope::claims {

enum class Verdict : std::uint8_t { holds, differs, unchecked };
std::string_view to_string(Verdict v);

struct Instance {
  std::uint32_t block = 0, warp = 0;
  std::uint32_t iteration = 0;   ///< n-th time the probe ran in this thread, from 0
  int caller_line = 0;           ///< call site of an inlined function; 0 when none
};

struct ClaimResult {
  int claim = 0;                               ///< index in Source::claims
  Verdict verdict = Verdict::unchecked;
  std::string reason;                          ///< unchecked: why
  std::optional<layout::Assignment> actual;    ///< what is really there (first failing instance; first one when it holds)
  std::string actual_words;                    ///< one line; or why no affine map exists, with the counterexample
  std::string difference;                      ///< "r1 and r0 are swapped"
  std::optional<Instance> first_failure;
  int first_false_line = 0;                    ///< code line whose write first made it false; 0 unknown
  bool computed = false;                       ///< values are computed from the elements they stand for
  bool for_this_input = false;                 ///< data steered a branch, an address or a lane choice before it
  int steered_line = 0;                        ///< where
  std::uint64_t instances = 0, places = 0, inactive_places = 0;
};

/// What is really in a group of registers at one probe instance.
struct Real {
  std::optional<layout::Assignment> assignment;
  std::string words;                           ///< one line, or the reason why there is none
  int buffer = -1;                             ///< which buffer's elements
  int element_bits = 32;
  bool computed = false;
};

/// Watches a probed run and keeps what verdicts need, over all blocks. `steers` of the run come along.
class Collector final : public trace::Observer {
 public:
  /// value_bytes[variable id] = size of the C++ object in bytes (from the PTX probe marks).
  Collector(const source::Source& source, const trace::TagPool& tags, std::vector<int> value_bytes,
            std::vector<int> caller_lines_by_pc);
  ~Collector() override;
  void on_probe(const trace::ProbeEvent&) override;
  void on_steer(const trace::SteerEvent&) override;

  /// Memory that may be kept: for instances of claims (beyond it the oldest are judged at once and dropped unless they
  /// fail), and for looking into blocks with `real_at` and `annotate` (beyond it later moments cannot be looked into).
  void keep_at_most(std::size_t instance_bytes, std::size_t moment_bytes);

  std::vector<ClaimResult> judge() const;
  /// What really is in the group `variables` (register order) at watch or claim probe `probe`, in (block, iteration).
  Real real_at(int probe, const std::vector<int>& variables, std::uint32_t block, std::uint32_t iteration) const;

  struct State;
  const State& state() const { return *state_; }

 private:
  std::unique_ptr<State> state_;
};

/// The .cu text with the assignment comments that hold, written after every load, move and barrier where one is
/// meaningful, in the notation of `layout::print`. `source` has no claims of its own there (or they are kept).
struct Annotation {
  std::string text;
  int claims_written = 0;
};
Annotation annotate(const source::Source& source, const Collector& collector);

}  // namespace lanescope::claims
