#pragma once
// All that a review's collector has seen of a launch, as lines of text, so that two of them can be compared and shown.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string>
#include <vector>

#include "kernels/emulator/emulator.h"
#include "profiling/review/observe/collector.h"

namespace lanescope::catalogue {

using Collected = std::vector<std::string>;

inline std::string text(const trace::Where& w) {
  return fmt::format("@{} block {} warp {} pc {} lanes {:x}", w.step, w.block, w.warp, w.pc, w.active);
}

inline std::string text(const races::Side& s) {
  return fmt::format("[{} {} {} pc {} @{} {} {}]", s.block, s.warp, s.lane, s.pc, s.step, static_cast<int>(s.touch),
                     s.value);
}

inline std::string text(const review::WriteTable::Conflict& m) {
  return fmt::format("{} {} {} / {} {} {} {} byte {} width {} {}", m.before.block, m.before.thread, m.before.pc,
                     m.now.block, m.now.thread, m.now.pc, text(m.where), m.byte, m.width_bytes,
                     fmt::join(m.addresses, ","));
}

inline void add_races(const races::RaceObserver& seen, Collected& out) {
  out.push_back(fmt::format("races: {} words unwatched, {} dropped", seen.unwatched_words(), seen.dropped_accesses()));
  for (const races::Race& r : seen.races()) {
    std::string reads;
    for (const races::Side& side : r.own_reads) reads += text(side);
    out.push_back(
        fmt::format("race {} {} missing {} same {} updates {} reads {} shared {} owner {} buffer {} byte {} {} "
                    "times {} epochs {} {}",
                    text(r.first), text(r.second), static_cast<int>(r.missing), r.same_value, r.updates, reads,
                    r.shared, r.owner, r.buffer, r.byte, r.bytes, r.times, r.first_epoch, r.second_epoch));
  }
}

inline Collected everything_of(const review::AccessCollector& c) {
  Collected out;
  out.push_back(fmt::format("{} instructions, blocks watched {} {}, bytes {}, unwritten {}, barriers part {}",
                            c.instructions(), c.watched_blocks(), c.all_blocks_watched(), c.address_bytes(),
                            c.reads_unwritten(), c.writes().barriers_part()));
  for (const auto& [key, t] : c.totals())
    out.push_back(
        fmt::format("access {} {} {} {} width {} buffer {}: {} {} {} {} {} {} {} {} worst {} {} {} {} {} {} {} {}",
                    key.first, static_cast<int>(key.second), static_cast<int>(t.access.space),
                    static_cast<int>(t.access.kind), t.access.width_bytes, t.buffer, t.sum.requests, t.bad_accesses,
                    t.sum.sectors, t.sum.bytes_wanted, t.sum.wavefronts, t.sum.ideal_wavefronts, t.sum.bank_conflicts,
                    t.sum.broadcasts, text(t.worst), t.worst_excess, t.cost.sectors, t.cost.lines, t.cost.wavefronts,
                    t.cost.bank_conflicts, t.cost.broadcasts, fmt::join(t.access.addresses, ",")));
  for (const auto& [pc, n] : c.neighbours())
    out.push_back(fmt::format("neighbour {} {} {} {} width {} buffer {} mask {:x} {} {} times {} {:x} {} {:x} {} {}",
                              pc, n.pc, n.leader, static_cast<int>(n.kind), n.width_bytes, n.buffer, n.mask, n.constant,
                              n.distance_bytes, n.times, n.residues, n.consecutive, n.base_residues, text(n.first),
                              fmt::join(n.addresses, ",")));
  for (const auto& [pc, p] : c.divergences())
    out.push_back(fmt::format("divergence {}: {} {} {} {}", pc, p.times, p.instructions, p.idle_lanes, text(p.first)));
  out.push_back(fmt::format("order {} {}", c.order().judged(), c.order().may_call_unneeded()));
  for (const auto& [pc, b] : c.order().barriers())
    out.push_back(fmt::format("barrier {}: {} {} {}", pc, b.times, b.needed, text(b.last)));
  for (const auto& [buffer, reaches] : c.reaches())
    for (const review::Reach& r : reaches)
      out.push_back(fmt::format("reach {}: {} {} {:x} {} {} {} {} {} {}", buffer, r.block, r.pc, r.mask, r.warp,
                                r.width_bytes, r.writes, r.irregular, r.base, r.stride));
  for (const auto& places : c.irregular()) out.push_back(fmt::format("irregular {}", fmt::join(places, ",")));
  for (const review::BarrierReach::Partial& p : c.barriers().partial())
    out.push_back(fmt::format("partial {} {} {} {} {} {} {} {} {} {}", p.place, p.block, p.threads, p.reached, p.least,
                              p.most, p.continues, p.other, p.blocks, text(p.first)));
  for (const review::WriteTable::Summary& s : c.writes().summaries())
    out.push_back(fmt::format("written {} {} {} {} {} {} {} {} {} {} conflict {} meeting {}", s.buffer, s.unwatched,
                              s.elements, s.written, s.several, s.conflicts, s.stores, s.block_stores, s.most_of_block,
                              s.across_blocks, s.conflict ? text(*s.conflict) : "none",
                              s.meeting ? text(*s.meeting) : "none"));
  for (const review::Lockstep::Wait& w : c.lockstep().waits())
    out.push_back(fmt::format("wait {} {} lane {} {} {}", text(w.polls), text(w.writes), w.writer,
                              static_cast<int>(w.space), w.address));
  for (const auto& [pcs, f] : c.incoherent().found())
    out.push_back(fmt::format("incoherent {} {} {} {} {} {} {} {}", f.load_pc, f.write_pc, f.buffer, f.byte,
                              text(f.later), f.load_first, f.lane, f.times));
  out.push_back(fmt::format("not compared {}", fmt::join(c.incoherent().not_compared(), ",")));
  add_races(c.races(), out);
  return out;
}

/// A collector that watches all buffers, half of whose bytes were never written.
struct Collecting {
  Collecting(const review::LaunchReview& launch, const std::vector<trace::Buffer>& buffers)
      : unwritten(half_of(buffers)), collector(launch, all_of(buffers), {}, &unwritten) {}
  Collected end() {
    collector.launch_ended();
    Collected out = everything_of(collector);
    for (const auto& bytes : unwritten) {
      std::uint64_t sum = 0;
      for (const std::uint8_t b : bytes) sum = sum * 31 + b;
      out.push_back(fmt::format("unwritten {}", sum));
    }
    return out;
  }

  static std::vector<int> all_of(const std::vector<trace::Buffer>& buffers) {
    std::vector<int> out;
    for (std::size_t b = 0; b < buffers.size(); ++b) out.push_back(static_cast<int>(b));
    return out;
  }
  static uninitialised::UnwrittenBytes half_of(const std::vector<trace::Buffer>& buffers) {
    uninitialised::UnwrittenBytes out;
    for (const trace::Buffer& b : buffers) {
      out.emplace_back(b.bytes.size(), std::uint8_t{0});
      std::fill_n(out.back().begin() + static_cast<std::ptrdiff_t>(out.back().size() / 2),
                  out.back().size() - out.back().size() / 2, std::uint8_t{1});
    }
    return out;
  }

  uninitialised::UnwrittenBytes unwritten;
  review::AccessCollector collector;
};

}  // namespace lanescope::catalogue
