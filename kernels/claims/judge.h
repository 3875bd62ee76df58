#pragma once
// One claim: the instances that were checked, and the verdict that follows.

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "kernels/claims/actual.h"
#include "kernels/claims/check.h"
#include "kernels/claims/claims.h"

namespace lanescope::claims {

/// Context of every judge. Buffers are looked up late: tags exist only after the run has begun.
struct Setting {
  const source::Source* source = nullptr;
  const trace::TagPool* pool = nullptr;
  std::vector<int> value_bytes;
  std::vector<int> caller_lines_by_pc;
  mutable std::map<int, LogicalBits> logical_by_buffer;
  mutable std::optional<Commons> commons_of_pool;
  std::map<int, source::BufferSpec> other_axes;      ///< by buffer: in place of the header's
  std::map<int, LogicalBits::NamedBits> other_bits;  ///< by buffer: in place of axes
  /// An order that nothing but a claim states, by function and buffer.
  struct OrderOfClaim {
    int claim = -1;
    LogicalBits::NamedBits bits{};
  };
  mutable std::map<std::pair<std::string, int>, OrderOfClaim> orders;

  /// nullptr where the buffer has no identities or no description.
  const LogicalBits* logical(int buffer) const;
  int element_bits(int buffer) const;
  Commons& commons() const;
  /// Line of the call that led to `pc`; 0 when the probe's own function is the kernel.
  int caller_line(std::uint32_t pc, int probe) const;
  const source::ProbePoint* probe(int id) const;
};

/// Geometry where nothing is stated: places as wide as the elements, or as the registers where these hold one value
/// each that was computed from one element (half to float).
Geometry natural_geometry(const std::vector<int>& registers, const Setting& setting, int element_bits,
                          const Snapshot& snapshot, Reader& reader);

/// The first step of a block at which data steered, and where.
struct Steer {
  std::uint64_t step = 0;
  std::uint32_t pc = 0;
};

class Judge {
 public:
  /// Judges a claim at one probe, which reads its variables; -1: there is none.
  Judge(const Setting& setting, int claim, int probe);
  int probe() const { return probe_; }
  int claim() const { return index_; }
  /// Checks one instance; `steer` is the first one of its block. Keeps the group where the verdict needs it.
  void add(const std::shared_ptr<const Group>& group, const std::optional<Steer>& steer);
  ClaimResult result(bool tags_seen) const;

 private:
  void add_own(const std::shared_ptr<const Group>& group, const std::optional<Steer>& steer);
  const Sums& sums();
  const Plan* plan_for(int buffer, const Snapshot& snapshot, Reader& reader);
  Snapshot snapshot(const Group& group) const;
  ClaimReason unknown_axis() const;
  ClaimReason untraceable() const;
  void differs(ClaimResult& r) const;
  void holds(ClaimResult& r) const;
  std::vector<Snapshot> snapshots_of(std::uint32_t iteration) const;
  std::string difference(const Actual& actual, const Failure& f, const Plan& plan, const Group& group) const;
  int first_false_line(const Failure& f, const Group& group) const;
  std::string structural(const Plan& plan) const;

  const Setting* setting_;
  int index_;
  const source::Claim* claim_;
  int probe_ = -1;
  int words_ = 0;
  std::shared_ptr<const Sums> sums_;
  std::map<int, Plan> plans_;
  std::map<std::uint32_t, Classes> block_classes_;  ///< by iteration, when the claim has a block row
  Tally tally_;
  struct Witness {
    std::shared_ptr<const Group> group;
    int buffer = -1;
  };
  Witness failed_, empty_;              ///< of tally_.failure, of tally_.nothing
  std::shared_ptr<const Group> first_;  ///< of the lowest instance
  std::map<std::uint32_t, std::vector<std::shared_ptr<const Group>>> with_blocks_;  ///< by iteration, block row only
  int first_buffer_ = -1;
  ClaimReason foreign_axis_;  ///< elements of a buffer that lacks a named axis
  std::optional<Steer> steer_;

  /// If nothing states the buffer's axes: the same claim, for axes that are inferred from the registers, and for the
  /// order that a claim defines.
  void try_fit(const Snapshot& part, int buffer, Reader& reader);
  void try_order(const Snapshot& part, int buffer, const Geometry& geometry, Reader& reader);
  std::shared_ptr<Setting> setting_with() const;
  ClaimResult own_result(bool tags_seen) const;
  ClaimResult with_other_axes(ClaimResult r, bool tags_seen) const;
  ClaimResult unchecked(const ClaimResult& r, ClaimReason reason) const;
  /// The unstated assumption of the answer, with the missing entry of the header; empty: none.
  std::string guess_after() const;
  Failure::What failed_as() const;
  bool any_known_axis() const;
  /// Whether the claim is judged at this moment, so that it may define an order.
  bool meant_here() const;
  bool fit_tried_ = false;
  std::string fit_words_, fit_problem_;
  /// A judge of the same claim with other axes, which it stores.
  struct Other {
    std::shared_ptr<const Setting> setting;
    std::vector<Judge> judge;  ///< one or none
  };
  Other fitted_, ordered_;
  int order_of_ = -1;        ///< the claim that defines the order, if one does
  bool order_open_ = false;  ///< some order, which nothing states, may make the claim true
};

}  // namespace lanescope::claims
