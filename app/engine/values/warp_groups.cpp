#include "app/engine/values/warp_groups.h"

#include <algorithm>
#include <array>
#include <map>
#include <string_view>

#include "kernels/base/set_bits.h"

namespace lanescope::engine {
namespace {

using results::Wait;

std::string_view without_guard(std::string_view text) {
  if (!text.starts_with('@')) return text;
  const std::size_t end = text.find(' ');
  return end == std::string_view::npos ? text : text.substr(end + 1);
}

struct Group {
  std::uint32_t lanes = 0;
  std::int64_t last = -1;  ///< the newest step of it
};

/// Facts of an instruction about groups.
struct SiteFacts {
  bool whole_group = false;  ///< every lane there runs it: it has no guard, or is a branch
  bool warp_sync = false;
  int line = 0;
};

class GroupReader {
 public:
  GroupReader(const trace::Trace& trace, std::size_t end) : trace_(trace), end_(std::min(end, trace.steps.size())) {
    for (const trace::CodeSite& site : trace.code) {
      const bool guarded = site.text.starts_with('@') && !without_guard(site.text).starts_with("bra");
      sites_.push_back({.whole_group = !guarded, .warp_sync = is_warp_sync(site), .line = site.line});
    }
    for (std::size_t i = 0; i < end_; ++i) {
      const trace::StepRecord& s = trace.steps[i];
      if (s.warp >= warps_.size()) warps_.resize(s.warp + 1), last_.resize(s.warp + 1);
      for (const std::size_t lane : set_bits(s.active)) last_[s.warp][lane] = i;
      if (warps_[s.warp].empty()) warps_[s.warp].push_back({});
      warps_[s.warp].front().lanes |= s.active;
    }
  }

  WarpGroups read() {
    std::size_t branch = 0;
    for (std::size_t i = 0; i < end_; ++i) {
      std::uint32_t taken = 0;
      if (branch < trace_.branches.size() && trace_.branches[branch].step == i) taken = trace_.branches[branch++].taken;
      if (trace_.steps[i].active != 0) step(i, taken);
    }
    block_barriers();
    barrier_objects();
    std::ranges::stable_sort(out_.waits, {}, &Wait::from);
    return std::move(out_);
  }

 private:
  void step(std::size_t i, std::uint32_t taken) {
    const trace::StepRecord& s = trace_.steps[i];
    const SiteFacts facts = s.pc < sites_.size() ? sites_[s.pc] : SiteFacts{};
    std::vector<Group>& groups = warps_[s.warp];
    Group now = conflict(i, s, facts, groups);
    now.last = static_cast<std::int64_t>(i);
    if (facts.whole_group && s.active != now.lanes) {
      part(i, s.warp, now.lanes, s.active);
      const std::int64_t before = std::exchange(parted_last_, -1);
      groups.push_back({.lanes = now.lanes & ~s.active, .last = before});
      now.lanes &= s.active;
    }
    if (taken != 0) {
      part(i, s.warp, now.lanes, taken);
      groups.push_back({.lanes = now.lanes & taken, .last = now.last});
      now.lanes &= ~taken;
    }
    groups.push_back(now);
    std::uint32_t over = 0;
    for (const std::size_t lane : set_bits(s.active))
      if (last_[s.warp][lane] == i) over |= 1u << lane;
    if (over != 0)
      for (Group& g : groups) g.lanes &= ~over;
    std::erase_if(groups, [](const Group& g) { return g.lanes == 0; });
  }

  /// Takes the groups of the step's lanes out of the list, as one.
  Group conflict(std::size_t i, const trace::StepRecord& s, const SiteFacts& facts, std::vector<Group>& groups) {
    std::vector<Group> here;
    for (const Group& g : groups)
      if ((g.lanes & s.active) != 0) here.push_back(g);
    std::erase_if(groups, [&](const Group& g) { return (g.lanes & s.active) != 0; });
    Group all;
    for (const Group& g : here) all = {.lanes = all.lanes | g.lanes, .last = std::max(all.last, g.last)};
    parted_last_ = all.last;
    if (here.size() < 2) return all;
    const Group& newest = *std::ranges::max_element(here, {}, &Group::last);
    out_.changes.push_back({.step = static_cast<std::uint32_t>(i),
                            .warp = static_cast<std::uint16_t>(s.warp),
                            .meets = true,
                            .lanes = all.lanes,
                            .part = newest.lanes});
    if (!facts.warp_sync) return all;
    for (const Group& g : here)
      if (g.last < newest.last && g.last >= 0)
        out_.waits.push_back({.kind = Wait::Kind::warp_sync,
                              .warp = static_cast<std::uint16_t>(s.warp),
                              .lanes = g.lanes,
                              .from = static_cast<std::uint32_t>(g.last),
                              .until = newest.last,
                              .line = facts.line,
                              .last_warp = static_cast<std::int32_t>(s.warp),
                              .last_lanes = newest.lanes});
    return all;
  }

  void part(std::size_t i, std::uint32_t warp, std::uint32_t lanes, std::uint32_t some) {
    out_.changes.push_back({.step = static_cast<std::uint32_t>(i),
                            .warp = static_cast<std::uint16_t>(warp),
                            .lanes = lanes,
                            .part = some});
  }

  int line_of(std::uint64_t step) const {
    const std::uint32_t pc = trace_.steps[step].pc;
    return pc < sites_.size() ? sites_[pc].line : 0;
  }

  void block_barriers() {
    std::map<int, std::vector<trace::BarrierRecord>> here;
    const auto add = [&](const trace::BarrierRecord& b, int number, std::int64_t until) {
      const bool known = until >= 0;
      const trace::StepRecord last = known ? trace_.steps[static_cast<std::size_t>(until)] : trace::StepRecord{};
      out_.waits.push_back({.kind = Wait::Kind::block_barrier,
                            .warp = static_cast<std::uint16_t>(trace_.steps[b.step].warp),
                            .lanes = b.lanes,
                            .from = static_cast<std::uint32_t>(b.step),
                            .until = until,
                            .line = line_of(b.step),
                            .object = static_cast<std::uint32_t>(number),
                            .last_warp = known ? static_cast<std::int32_t>(last.warp) : -1,
                            .last_lanes = last.active});
    };
    std::size_t next = 0;
    for (const trace::ReleaseRecord& r : trace_.releases) {
      for (; next < trace_.barriers.size() && trace_.barriers[next].step <= r.step; ++next)
        here[trace_.barriers[next].barrier].push_back(trace_.barriers[next]);
      for (const trace::BarrierRecord& b : here[r.barrier])
        if (b.waits && b.step < r.step && b.step < end_ && r.step < end_)
          add(b, r.barrier, static_cast<std::int64_t>(r.step));
      here[r.barrier].clear();
    }
    for (; next < trace_.barriers.size(); ++next) here[trace_.barriers[next].barrier].push_back(trace_.barriers[next]);
    for (const auto& [number, waiting] : here)
      for (const trace::BarrierRecord& b : waiting)
        if (b.waits && b.step < end_) add(b, number, -1);
  }

  void barrier_objects() {
    struct Polls {
      std::uint64_t step = 0;
      std::uint32_t lanes = 0;
    };
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<Polls>> failing;  // by warp and address
    std::map<std::uint32_t, std::uint64_t> completed;                               // by address: the newest step
    const auto add = [&](std::uint32_t warp, std::uint32_t address, const Polls& p, std::int64_t until) {
      if (p.step >= end_ || until >= static_cast<std::int64_t>(end_)) return;
      Wait w{.kind = Wait::Kind::barrier_object,
             .warp = static_cast<std::uint16_t>(warp),
             .lanes = p.lanes,
             .from = static_cast<std::uint32_t>(p.step),
             .until = until,
             .line = line_of(p.step),
             .object = address};
      if (const auto c = completed.find(address); until >= 0 && c != completed.end() && c->second >= p.step) {
        const trace::StepRecord& by = trace_.steps[c->second];
        w.until = static_cast<std::int64_t>(c->second);
        w.last_warp = static_cast<std::int32_t>(by.warp), w.last_lanes = by.active;
      }
      out_.waits.push_back(w);
    };
    for (const trace::ObjectRecord& r : trace_.objects) {
      const std::uint32_t warp = trace_.steps[r.step].warp, lane = 1u << r.lane;
      std::vector<Polls>& polls = failing[{warp, r.address}];
      if (r.kind == trace::ObjectRecord::Kind::completes) {
        completed[r.address] = r.step;
      } else if (r.kind == trace::ObjectRecord::Kind::fails) {
        if (polls.empty() || polls.back().step != r.step) polls.push_back({.step = r.step});
        polls.back().lanes |= lane;
      } else {
        pass(polls, lane, [&](const Polls& p) { add(warp, r.address, p, static_cast<std::int64_t>(r.step)); });
      }
    }
    for (const auto& [key, polls] : failing)
      for (const Polls& p : polls) add(key.first, key.second, p, -1);
    join();
  }

  /// The lane waits no longer: reported with the step of its first poll.
  static void pass(auto& polls, std::uint32_t lane, auto report) {
    for (auto& p : polls) {
      if ((p.lanes & lane) == 0) continue;
      p.lanes &= ~lane;
      auto one = p;
      one.lanes = lane;
      report(one);
    }
    std::erase_if(polls, [](const auto& p) { return p.lanes == 0; });
  }

  /// Lanes that came and went together are one wait.
  void join() {
    std::vector<Wait> joined;
    for (const Wait& w : out_.waits) {
      const auto same = std::ranges::find_if(joined, [&](const Wait& o) {
        return w.kind == Wait::Kind::barrier_object && o.kind == w.kind && o.warp == w.warp && o.from == w.from &&
               o.until == w.until && o.object == w.object;
      });
      if (same == joined.end() || w.kind != Wait::Kind::barrier_object)
        joined.push_back(w);
      else
        same->lanes |= w.lanes;
    }
    out_.waits = std::move(joined);
  }

  const trace::Trace& trace_;
  std::size_t end_ = 0;
  std::vector<SiteFacts> sites_;
  std::vector<std::vector<Group>> warps_;
  std::vector<std::array<std::size_t, 32>> last_;  ///< by warp and lane: the newest step of all
  std::int64_t parted_last_ = -1;                  ///< of the group whose lanes a step has only some of
  WarpGroups out_;
};

}  // namespace

bool is_warp_sync(const trace::CodeSite& site) {
  const std::string_view text = without_guard(site.text);
  for (const std::string_view opcode :
       {"shfl.sync", "vote.sync", "match.", "redux.sync", "bar.warp.sync", "elect.sync"})
    if (text.starts_with(opcode)) return true;
  return false;
}

WarpGroups warp_groups(const trace::Trace& trace, std::size_t end) { return GroupReader(trace, end).read(); }

}  // namespace lanescope::engine
