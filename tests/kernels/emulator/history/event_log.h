#pragma once
// Every event of a run as one number, so that runs can be compared event by event.

#include <algorithm>
#include <vector>

#include "kernels/trace/observer.h"

namespace lanescope::emulator::test {

class EventLog final : public trace::Observer {
 public:
  std::vector<std::uint64_t> events;
  std::vector<std::uint32_t> ended;  ///< blocks

  bool operator==(const EventLog& o) const { return events == o.events && ended == o.ended; }
  /// The other's events are the last ones of this one's.
  bool ends_with(const EventLog& o) const {
    return o.events.size() <= events.size() && std::equal(o.events.rbegin(), o.events.rend(), events.rbegin());
  }

  void on_step(const trace::Where& w) override { begin(1, w); }
  void on_access(const trace::AccessEvent& e) override {
    begin(2, e.where);
    add(static_cast<std::uint64_t>(e.space)), add(static_cast<std::uint64_t>(e.kind));
    add(static_cast<std::uint64_t>(e.width_bytes)), add(static_cast<std::uint64_t>(e.matrix)), add(e.overwritten);
    for (std::size_t lane = 0; lane < e.addresses.size(); ++lane) {
      if ((e.where.active >> lane & 1) == 0) continue;
      add(e.addresses[lane]);
      for (std::size_t i = lane; i < e.values.size(); i += 32) add(e.values[i]);
      for (std::size_t i = lane; i < e.tags.size(); i += 32) add(e.tags[i]);
    }
  }
  void on_probe(const trace::ProbeEvent& e) override {
    begin(3, e.where);
    add(static_cast<std::uint64_t>(e.probe));
    for (std::size_t lane = 0; lane < 32; ++lane) {
      if ((e.where.active >> lane & 1) == 0) continue;
      add(e.values[lane]);
      if (!e.tags.empty()) add(e.tags[lane]);
    }
  }
  void on_remote_access(const trace::RemoteAccessEvent& e) override {
    begin(13, e.access.where), add(static_cast<std::uint64_t>(e.access.kind));
    for (std::size_t lane = 0; lane < 32; ++lane)
      if ((e.access.where.active >> lane & 1) != 0)
        add(e.access.addresses[lane]), add(e.blocks[lane]), add(e.access.values[lane]);
  }
  void on_cluster_barrier(const trace::ClusterBarrierEvent& e) override {
    begin(14, e.where), add(static_cast<std::uint64_t>(e.kind));
  }
  void on_shuffle(const trace::ShuffleEvent& e) override {
    begin(4, e.where);
    for (const std::int8_t lane : e.source_lane) add(static_cast<std::uint8_t>(lane));
  }
  void on_branch(const trace::BranchEvent& e) override { begin(5, e.where), add(e.taken); }
  void on_steer(const trace::SteerEvent& e) override {
    begin(6, e.where), add(static_cast<std::uint64_t>(e.what)), add(e.lanes);
  }
  void on_barrier(const trace::BarrierEvent& e) override {
    begin(7, e.where), add(static_cast<std::uint64_t>(e.barrier)), add(e.waits);
  }
  void on_release(const trace::ReleaseEvent& e) override {
    events.push_back(8);
    add(e.block), add(static_cast<std::uint64_t>(e.barrier)), add(e.step);
    for (const std::uint32_t lanes : e.waiting) add(lanes);
  }
  void on_warp_sync(const trace::WarpSyncEvent& e) override { begin(9, e.where), add(e.one_place); }
  void on_barrier_object(const trace::BarrierObjectEvent& e) override {
    begin(10, e.where), add(e.address), add(static_cast<std::uint64_t>(e.kind)), add(e.completes), add(e.passes);
  }
  void on_bulk_copy(const trace::BulkCopyEvent& e) override {
    begin(11, e.where), add(e.to.address), add(e.from.address), add(e.bytes);
  }
  void on_block_end(std::uint32_t block, std::uint64_t steps) override {
    events.push_back(12);
    add(block), add(steps);
    ended.push_back(block);
  }

 private:
  void begin(std::uint64_t kind, const trace::Where& w) {
    events.push_back(kind);
    add(w.step), add(w.block), add(w.warp), add(w.pc), add(w.active);
  }
  void add(std::uint64_t n) {
    std::uint64_t& h = events.back();
    h = (h ^ n) * 0x9e3779b97f4a7c15u;
    h ^= h >> 29;
  }
};

}  // namespace lanescope::emulator::test
