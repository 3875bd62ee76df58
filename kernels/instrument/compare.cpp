#include <algorithm>
#include <array>
#include <bit>
#include <map>
#include <string_view>

#include <fmt/format.h>

#include "kernels/base/set_bits.h"
#include "kernels/instrument/decode.h"
#include "kernels/trace/trace.h"

namespace lanescope::instrument {
namespace {

using trace::MemorySpace;
using WarpKey = std::pair<std::uint32_t, std::uint32_t>;  ///< block, warp

using Indices = std::vector<std::size_t>;

struct Streams {
  Indices accesses;                                    ///< indices into the trace; of a poll that of its first load
  std::map<std::size_t, trace::AccessRecord> polls{};  ///< by that index: with the lanes and places of all its loads
  std::vector<trace::ShuffleRecord> shuffles{};        ///< with the lanes of all masks
};
using ByWarp = std::map<WarpKey, Streams>;

bool is_compared(MemorySpace space) { return space == MemorySpace::global || space == MemorySpace::shared; }

/// Lanes that name different members shuffle one group after the other, and which group is first is left open: what
/// follows at the same place in other lanes belongs to one shuffle.
void add_shuffle(const trace::Trace& t, Streams& s, const trace::ShuffleRecord& r) {
  const auto took_part = [](std::int8_t lane) { return lane >= 0; };
  if (!s.shuffles.empty() && t.steps[s.shuffles.back().step].pc == t.steps[r.step].pc) {
    auto& known = s.shuffles.back().source_lane;
    bool disjoint = true;
    for (std::size_t l = 0; l < known.size(); ++l)
      disjoint = disjoint && !(took_part(known[l]) && took_part(r.source_lane[l]));
    if (disjoint) {
      for (std::size_t l = 0; l < known.size(); ++l)
        if (took_part(r.source_lane[l])) known[l] = r.source_lane[l];
      return;
    }
  }
  s.shuffles.push_back(r);
}

/// A load that may see what another thread writes meanwhile, so that a loop may wait by it.
bool can_poll(std::string_view text) {
  if (text.starts_with('@')) text.remove_prefix(std::min(text.find(' ') + 1, text.size()));
  return text.starts_with("ld.acquire") || text.starts_with("ld.relaxed") || text.starts_with("ld.volatile");
}

/// A warp that waits by loading the same words until another thread has written them does so as often as time needs:
/// loads of one such instruction, with no other access of the warp between them, are one access. False: it is another.
bool add_to_poll(const trace::Trace& t, const std::vector<trace::CodeSite>& code, Streams& s, std::size_t index) {
  if (s.accesses.empty()) return false;
  const std::size_t first = s.accesses.back();
  const std::uint32_t pc = t.steps[t.accesses.step(index)].pc;
  if (t.steps[t.accesses.step(first)].pc != pc || pc >= code.size() || !can_poll(code[pc].text)) return false;
  const trace::AccessRecord next = t.accesses[index];
  const auto known = s.polls.find(first);
  trace::AccessRecord all = known == s.polls.end() ? trace::AccessRecord(t.accesses[first]) : known->second;
  for (const std::size_t lane : set_bits(all.mask & next.mask))
    if (all.addresses[lane] != next.addresses[lane]) return false;
  for (const std::size_t lane : set_bits(next.mask)) all.addresses[lane] = next.addresses[lane];
  all.mask |= next.mask;
  s.polls.insert_or_assign(first, all);
  return true;
}

/// `code`: of the expected trace, which has the same instructions.
ByWarp streams_of(const trace::Trace& t, const std::vector<trace::CodeSite>& code, const Choice& choice) {
  ByWarp out;
  const auto stream = [&](std::uint64_t step) -> Streams* {
    const trace::StepRecord& s = t.steps[step];
    return choice.has(s.block, s.warp) ? &out[{s.block, s.warp}] : nullptr;
  };
  for (std::size_t i = 0; i < t.accesses.size(); ++i)
    if (is_compared(t.accesses.space(i)))
      if (Streams* s = stream(t.accesses.step(i)); s && !add_to_poll(t, code, *s, i)) s->accesses.push_back(i);
  for (const trace::ShuffleRecord& r : t.shuffles)
    if (Streams* s = stream(r.step)) add_shuffle(t, *s, r);
  return out;
}

trace::AccessRecord record(const trace::Trace& t, const Streams& s, std::size_t index) {
  const auto poll = s.polls.find(index);
  return poll == s.polls.end() ? trace::AccessRecord(t.accesses[index]) : poll->second;
}

/// Position of the first access by which the warp waited, or may have; that of the end where there is none.
std::size_t first_wait(const trace::Trace& t, const std::vector<trace::CodeSite>& code, const Streams& s) {
  const auto waits = [&](std::size_t index) {
    if (s.polls.contains(index)) return true;
    const std::uint32_t pc = t.steps[t.accesses.step(index)].pc;
    return pc < code.size() && can_poll(code[pc].text) && code[pc].text.find("ld.volatile") == std::string::npos;
  };
  return static_cast<std::size_t>(std::ranges::find_if(s.accesses, waits) - s.accesses.begin());
}

/// A call of malloc or free on a GPU parts the lanes of a warp, and how they reconverge is left open.
bool parts_lanes(const std::vector<trace::CodeSite>& code) {
  return std::ranges::any_of(code, [](const trace::CodeSite& site) {
    return site.text.find("call") < 16 &&
           (site.text.find(" malloc,") != std::string::npos || site.text.find(" free,") != std::string::npos);
  });
}

/// The accesses of each lane from there on; a lane's loads by which it waits are one.
std::array<Indices, trace::lanes_per_warp> by_lane(const trace::Trace& t, const std::vector<trace::CodeSite>& code,
                                                   const Streams& s, std::size_t from) {
  std::array<Indices, trace::lanes_per_warp> out;
  std::array<std::pair<std::uint32_t, std::uint64_t>, trace::lanes_per_warp> last;
  last.fill({~0u, 0});
  for (std::size_t n = from; n < s.accesses.size(); ++n) {
    const trace::AccessRecord a = record(t, s, s.accesses[n]);
    const std::uint32_t pc = t.steps[a.step].pc;
    const bool polls = pc < code.size() && can_poll(code[pc].text);
    for (const std::size_t lane : set_bits(a.mask)) {
      const std::pair now(pc, a.addresses[lane]);
      if (!polls || last[lane] != now) out[lane].push_back(s.accesses[n]);
      last[lane] = now;
    }
  }
  return out;
}

/// -1 where the stream has ended before.
std::int64_t nth(const Indices& indices, std::uint64_t n) {
  return n < indices.size() ? static_cast<std::int64_t>(indices[n]) : -1;
}

std::string in_words(const trace::Trace& t, const trace::AccessRecord& a) {
  return fmt::format("{} of {} bytes by lanes {:#010x} in {} memory at PTX instruction {}", trace::kind_words(a.kind),
                     a.width_bytes, a.mask, a.space == MemorySpace::shared ? "shared" : "global", t.steps[a.step].pc);
}

std::string address_words(const trace::Trace& t, const trace::AccessRecord& a, std::size_t lane) {
  const std::uint64_t address = a.addresses[lane];
  if (a.space == MemorySpace::shared) return fmt::format("byte {} of shared memory", address);
  const auto at = t.locate(address);
  if (!at) return "an address outside of all buffers";
  return fmt::format("byte {} of {}", at->second, t.buffers[static_cast<std::size_t>(at->first)].name);
}

class Comparison {
 public:
  Comparison(const trace::Trace& expected, const Decoded& found) : e_(expected), decoded_(found), f_(found.trace) {}

  std::optional<Difference> run() {
    const ByWarp expected = streams_of(e_, e_.code, decoded_.choice), found = streams_of(f_, e_.code, decoded_.choice);
    std::vector<WarpKey> keys;
    for (const auto& [key, s] : expected) keys.push_back(key);
    for (const auto& [key, s] : found) keys.push_back(key);
    std::ranges::sort(keys);
    keys.erase(std::ranges::unique(keys).begin(), keys.end());
    const Streams none;
    for (const WarpKey& key : keys) {
      const auto e = expected.find(key), f = found.find(key);
      if (auto d = one_warp(key, e == expected.end() ? none : e->second, f == found.end() ? none : f->second)) return d;
    }
    return std::nullopt;
  }

 private:
  std::optional<Difference> one_warp(const WarpKey& key, const Streams& e, const Streams& f) {
    const auto same = [&](const auto& es, const auto& fs, auto compare, auto pc_of_expected, auto pc_of_found,
                          const char* what) -> std::optional<Difference> {
      const std::size_t both = std::min(es.size(), fs.size());
      for (std::size_t n = 0; n < both; ++n)
        if (auto d = compare(es[n], fs[n])) return finish(*d, key, what, n, pc_of_expected(es[n]));
      if (es.size() == fs.size() || (es.size() > fs.size() && decoded_.dropped != 0)) return std::nullopt;
      Difference d{.words = es.size() > fs.size() ? fmt::format("this {} is missing", what)
                                                  : fmt::format("this {} is unexpected", what)};
      return finish(d, key, what, both, es.size() > fs.size() ? pc_of_expected(es[both]) : pc_of_found(fs[both]));
    };
    const auto same_accesses = [&](const Indices& es, const Indices& fs, std::uint32_t lanes, const char* what) {
      auto d = same(
          es, fs, [&](std::size_t a, std::size_t b) { return access(record(e_, e, a), record(f_, f, b), lanes); },
          [&](std::size_t a) { return e_.steps[e_.accesses.step(a)].pc; },
          [&](std::size_t a) { return f_.steps[f_.accesses.step(a)].pc; }, what);
      if (d) d->expected_access = nth(es, d->index), d->found_access = nth(fs, d->index);
      return d;
    };
    const bool diverged = parts_lanes(e_.code);
    const std::size_t e_waits = diverged ? 0 : first_wait(e_, e_.code, e);
    const std::size_t f_waits = diverged ? 0 : first_wait(f_, e_.code, f);
    const bool waited = diverged || e_waits < e.accesses.size() || f_waits < f.accesses.size();
    if (!waited)
      if (auto d = same_accesses(e.accesses, f.accesses, ~0u, "access")) return d;
    if (waited) {
      // Lanes that waited continue when what they waited for has come, beside the others or with them: from there on each
      // lane is compared for itself, and how the warp groups them is left open.
      const std::size_t wait = std::min(e_waits, f_waits);
      const auto until = [wait](const Indices& all) {
        return Indices(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(std::min(wait, all.size())));
      };
      if (auto d = same_accesses(until(e.accesses), until(f.accesses), ~0u, "access")) return d;
      const auto es = by_lane(e_, e_.code, e, wait), fs = by_lane(f_, e_.code, f, wait);
      for (std::size_t lane = 0; lane < es.size(); ++lane)
        if (auto d = same_accesses(es[lane], fs[lane], 1u << lane, "access since it waited")) {
          d->lane = static_cast<int>(lane);
          return d;
        }
    }
    const auto step_pc = [](const trace::Trace& t, std::uint64_t step) { return t.steps[step].pc; };
    return same(
        e.shuffles, f.shuffles,
        [&](const trace::ShuffleRecord& a, const trace::ShuffleRecord& b) { return shuffle(a, b); },
        [&](const trace::ShuffleRecord& a) { return step_pc(e_, a.step); },
        [&](const trace::ShuffleRecord& a) { return step_pc(f_, a.step); }, "shuffle");
  }

  Difference finish(Difference d, const WarpKey& key, const char* what, std::size_t index, std::uint32_t pc) const {
    d.block = key.first;
    d.warp = key.second;
    d.index = index;
    d.pc = pc;
    if (pc < e_.code.size()) d.line = e_.code[pc].line;
    d.words = fmt::format("block {}, warp {}, {} {}{}: {}", d.block, d.warp, what, index,
                          d.line > 0 ? fmt::format(" (line {})", d.line) : "", d.words);
    return d;
  }

  /// Of some of the lanes.
  std::optional<Difference> access(trace::AccessRecord e, trace::AccessRecord f, std::uint32_t lanes) const {
    Difference d;
    e.mask &= lanes, f.mask &= lanes;
    const bool same_kind = e_.steps[e.step].pc == f_.steps[f.step].pc && e.space == f.space && e.kind == f.kind &&
                           e.width_bytes == f.width_bytes && e.matrix == f.matrix;
    if (!same_kind || e.mask != f.mask) {
      if (e.mask != f.mask && same_kind) d.lane = std::countr_zero(e.mask ^ f.mask);
      d.words = fmt::format("expected {}, found {}", in_words(e_, e), in_words(f_, f));
      return d;
    }
    for (const std::size_t lane : set_bits(e.mask)) {
      const bool same = e.space == MemorySpace::shared ? e.addresses[lane] == f.addresses[lane]
                                                       : same_place(e.addresses[lane], f.addresses[lane]);
      if (same) continue;
      d.lane = static_cast<int>(lane);
      d.words = fmt::format("lane {} of the {} was expected at {}, and was at {}", lane, in_words(e_, e),
                            address_words(e_, e, lane), address_words(f_, f, lane));
      return d;
    }
    return std::nullopt;
  }

  /// Where a variable of the module lies is not recorded on a GPU.
  bool same_place(std::uint64_t expected, std::uint64_t found) const {
    const auto e = e_.locate(expected), f = f_.locate(found);
    return e == f || (e && !f && !e_.buffers[static_cast<std::size_t>(e->first)].variable.empty());
  }

  std::optional<Difference> shuffle(const trace::ShuffleRecord& e, const trace::ShuffleRecord& f) const {
    for (std::size_t lane = 0; lane < e.source_lane.size(); ++lane) {
      const int source = e.source_lane[lane];
      // A lane that has exited gives 0, its number too: a record cannot tell it from lane 0.
      const bool may_have_exited = source >= 0 && e.source_lane[static_cast<std::size_t>(source)] < 0;
      const bool same = source == f.source_lane[lane] || (may_have_exited && f.source_lane[lane] == 0);
      if (same && e_.steps[e.step].pc == f_.steps[f.step].pc) continue;
      return Difference{
          .lane = static_cast<int>(lane),
          .words =
              fmt::format("in the shuffle at PTX instruction {} lane {} was expected to read lane {}, and read lane {}",
                          e_.steps[e.step].pc, lane, e.source_lane[lane], f.source_lane[lane])};
    }
    return std::nullopt;
  }

  const trace::Trace& e_;
  const Decoded& decoded_;
  const trace::Trace& f_;
};

}  // namespace

std::optional<Difference> compare(const trace::Trace& expected, const Decoded& found) {
  return Comparison(expected, found).run();
}

}  // namespace lanescope::instrument
