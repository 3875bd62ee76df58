// Accesses of threads to one location with no order between: in shared memory, in global memory, between lanes of a
// warp; and writes of the same value, which do no harm.

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <tuple>

#include <fmt/format.h>

#include "kernels/base/enum_size.h"
#include "profiling/races/conflict.h"
#include "profiling/review/findings/rule_set.h"
#include "profiling/review/races/flag_reads.h"

namespace lanescope::review {
namespace {

using races::Missing;

/// The same value from threads that had not read the old one: memory holds it in any order.
bool harmless(const races::Race& r) { return r.same_value && !r.updates; }

std::string_view rule_of(const races::Race& r) {
  if (r.missing == Missing::completion) return "copy-not-awaited";
  if (r.missing == Missing::begin || r.missing == Missing::end) return "cluster-lifetime";
  if (harmless(r)) return "same-value-writes";
  if (races::strong_by_volatile(r.first.touch, r.second.touch) &&
      !(races::is_volatile(r.first.touch) && races::is_volatile(r.second.touch) && r.missing == Missing::warp_sync))
    return "volatile-unordered";
  if (r.missing == Missing::warp_sync || r.missing == Missing::one_writer) return "warp-sync-missing";
  return r.shared ? "barrier-missing" : "global-unordered";
}

/// At shared memory that blocks of a cluster share.
bool between_blocks(const races::Race& r) {
  return r.shared && (r.first.block != r.owner || r.second.block != r.owner);
}

/// "block 3", with its rank where blocks of a cluster share memory: "block 3 (rank 1)".
std::string block_words(const LaunchReview& launch, const races::Race& r, std::uint32_t block) {
  if (!between_blocks(r)) return fmt::format("block {}", block);
  return fmt::format("block {} (rank {})", block, trace::cluster_place(launch.launch, block).rank);
}

/// "byte 4 of shared memory", "byte 4 of the shared memory of block 3 (rank 1)", "element 5 of `q`".
std::string place_of(const LaunchReview& launch, const races::Race& r) {
  if (between_blocks(r))
    return fmt::format("byte {} of the shared memory of {}", r.byte, block_words(launch, r, r.owner));
  if (r.shared) return fmt::format("byte {} of shared memory", r.byte);
  return place_words(launch, r.buffer, r.byte);
}

/// Who they are, as far as they differ: "block 0", "warp 1", "lane 3".
std::string who(const LaunchReview& launch, const races::Race& r, const races::Side& s) {
  if (r.first.block != r.second.block) return block_words(launch, r, s.block);
  if (r.first.warp != r.second.warp) return fmt::format("warp {}", s.warp);
  return fmt::format("lane {}", s.lane);
}

/// "warp 0 writes byte 4 of shared memory in line 14, and warp 1 reads it in line 15"
std::string conflict_words(const ReviewInput& input, const LaunchReview& launch, const races::Race& r) {
  const int first = line_of(input, launch, r.first.pc), second = line_of(input, launch, r.second.pc);
  const std::string place = place_of(launch, r);
  if (first == second && verb_of(r.first.touch) == verb_of(r.second.touch)) {
    const bool swapped = std::tuple(r.second.block, r.second.warp, r.second.lane) <
                         std::tuple(r.first.block, r.first.warp, r.first.lane);
    const races::Side &a = swapped ? r.second : r.first, &b = swapped ? r.first : r.second;
    const std::string one = who(launch, r, a);
    const std::string kind = one.substr(0, one.find(' ')), other = who(launch, r, b);
    if (one == who(launch, r, b))  // copies of one thread
      return fmt::format("{} {} {} in line {} more than once", one, enum_name(verb_of(r.first.touch)), place, first);
    std::string_view does = enum_name(verb_of(r.first.touch));
    does.remove_suffix(1);
    return fmt::format("{}s {} and {} both {} {} in line {}", kind, one.substr(kind.size() + 1),
                       other.substr(kind.size() + 1), does, place, first);
  }
  const bool own = between_blocks(r) && r.first.block == r.owner;
  return fmt::format("{} {} {} in line {}, and {} {} it in line {}", who(launch, r, r.first),
                     enum_name(verb_of(r.first.touch)),
                     own ? fmt::format("byte {} of its shared memory", r.byte) : place, first, who(launch, r, r.second),
                     enum_name(verb_of(r.second.touch)), second);
}

/// "with no barrier between (block 3)"
std::string missing_words(const races::Race& r) {
  constexpr const char* words[] = {
      "with nothing that orders the two blocks",
      "with no barrier between (block {0})",
      "with no __syncwarp() between (block {0}, warp {1})",
      "by the same instruction (block {0}, warp {1})",
      "with atomics whose scope is one block",
      "with nothing that waits for the asynchronous copy (block {2})",
      "with nothing that orders the two grids",
      "with atomics whose scope is one cluster, while the blocks are of two",
      "with no barrier of the cluster between",
      "with a barrier of the cluster between that orders no memory: barrier.cluster.arrive is .relaxed",
      "",  // begin and end: lifetime()
      ""};
  return fmt::format(fmt::runtime(entry_for(words, r.missing)), r.second.block, r.second.warp, r.first.block);
}

Evidence::Side party(const ReviewInput& input, const LaunchReview& launch, const races::Race& r, const races::Side& s,
                     int epoch) {
  return {.does = fmt::format("{} {}", enum_name(verb_of(s.touch)), place_of(launch, r)),
          .line = line_of(input, launch, s.pc),
          .block = s.block,
          .warp = static_cast<int>(s.warp),
          .lane = static_cast<int>(s.lane),
          .epoch = r.shared ? epoch : -1,
          .has_address = true,
          .address = r.byte,
          .buffer = r.shared ? std::string() : launch.buffers[static_cast<std::size_t>(r.buffer)].name};
}

access::ThreadAccess row(const ReviewInput& input, const LaunchReview& launch, const races::Side& s) {
  return {.step = static_cast<std::int64_t>(s.step),
          .block = s.block,
          .warp = static_cast<int>(s.warp),
          .lane = static_cast<int>(s.lane),
          .line = line_of(input, launch, s.pc),
          .does = verb_of(s.touch),
          .value = s.value};
}

void show_evidence(const ReviewInput& input, const LaunchReview& launch, int index, const races::Race& r,
                   std::uint64_t times, Evidence& e) {
  e = evidence_of(launch, index,
                  {.step = r.second.step,
                   .block = r.second.block,
                   .warp = r.second.warp,
                   .pc = r.second.pc,
                   .active = 1u << r.second.lane});
  e.space = r.shared ? trace::MemorySpace::shared : trace::MemorySpace::global;
  e.buffer = r.shared ? "shared" : launch.buffers[static_cast<std::size_t>(r.buffer)].name;
  e.width_bytes = 4;
  e.addresses[r.second.lane] = r.byte;
  e.numbers = {{"byte", static_cast<double>(r.byte)},
               {"earlier step", static_cast<double>(r.first.step)},
               {"pairs of accesses", static_cast<double>(std::max<std::uint64_t>(times, 1))}};
  e.sides = {party(input, launch, r, r.first, r.first_epoch), party(input, launch, r, r.second, r.second_epoch)};
  if (r.missing == Missing::completion) return;  // there is no moment at which the copy happens
  for (const races::Side& s : r.own_reads) e.interleaving.push_back(row(input, launch, s));
  e.interleaving.push_back(row(input, launch, r.first));
  e.interleaving.push_back(row(input, launch, r.second));
  std::ranges::stable_sort(e.interleaving, {}, &access::ThreadAccess::step);
}

/// Two stores of different values to one element: the rule on writers reports them, with all such elements.
bool said_by_writers(const AccessCollector& seen, const races::Race& r) {
  if (r.shared || r.first.touch != races::Touch::write || r.second.touch != races::Touch::write) return false;
  if (seen.races().loses_updates(r.buffer)) return false;
  if (r.missing != Missing::order && r.missing != Missing::barrier) return false;
  return std::ranges::any_of(seen.writes().summaries(), [&](const WriteTable::Summary& s) {
    return s.buffer == r.buffer && (s.conflict || s.wrong_offset());
  });
}

/// Stores of threads that had read the same location and that nothing orders, by pc: the change of one of them is lost.
std::set<std::uint32_t> lost_updates(const AccessCollector& seen) {
  std::set<std::uint32_t> stores;
  for (const races::Race& r : seen.races().races())
    if (r.updates) stores.insert({r.first.pc, r.second.pc});
  return stores;
}

/// A finding of one or several launches, of which the first is shown.
struct Found {
  Finding finding;  ///< its message without the parts below
  std::uint64_t times = 0;
  std::string_view what;  ///< that `times` counts
  std::string_view tail;  ///< of the message, after the number
  int launches = 1;
};
/// By rule, lines of the two accesses, kernel, and what else the message depends on.
using FoundOnce = std::map<std::tuple<std::string_view, int, int, std::string, int>, Found>;

void add(FoundOnce& all, FoundOnce::key_type key, Found found) {
  const auto [at, fresh] = all.try_emplace(std::move(key), std::move(found));
  if (fresh) return;
  at->second.times += found.times;
  ++at->second.launches;
}

/// Shared memory of a block that may not be there: its accesses by line, one finding for each of begin and end.
Finding lifetime(const ReviewInput& input, const LaunchReview& launch, int index, const races::Race& r) {
  const int line = line_of(input, launch, r.first.pc);
  const std::string does = fmt::format("{} {} {}", block_words(launch, r, r.first.block),
                                       enum_name(verb_of(r.first.touch)), place_of(launch, r));
  const std::uint32_t pc = r.first.pc;
  const int column = pc < launch.code.size() ? launch.code[pc].column : 0;
  Finding f =
      r.missing == Missing::begin
          ? finding("cluster-lifetime", line, column,
                    fmt::format("{}, and nothing ensures that this block has begun", does))
          : finding("cluster-lifetime", line, column,
                    fmt::format("{}, and this block may have ended by then: it exits in line {} without waiting "
                                "for the access",
                                does, line_of(input, launch, r.second.pc)));
  f.remedy = r.missing == Missing::begin
                 ? "add cluster.sync() before the first access to another block's shared memory: blocks of a cluster "
                   "do not begin at the same moment"
                 : "add cluster.sync() after the last access to another block's shared memory: it ends when its "
                   "block ends";
  f.evidence = evidence_of(
      launch, index,
      {.step = r.first.step, .block = r.first.block, .warp = r.first.warp, .pc = pc, .active = 1u << r.first.lane});
  f.evidence.space = trace::MemorySpace::shared;
  f.evidence.buffer = "shared";
  f.evidence.width_bytes = 4;
  f.evidence.addresses[r.first.lane] = r.byte;
  f.evidence.numbers = {{"byte", static_cast<double>(r.byte)}, {"accesses", static_cast<double>(r.times)}};
  f.evidence.sides = {party(input, launch, r, r.first, -1)};
  if (r.missing == Missing::end)
    f.evidence.sides.push_back({.does = "exits",
                                .line = line_of(input, launch, r.second.pc),
                                .block = r.second.block,
                                .warp = static_cast<int>(r.second.warp),
                                .lane = static_cast<int>(r.second.lane)});
  return f;
}

/// A pair of volatile accesses that is about data, not about a flag or a lock: neither is at the address of a read
/// whose value decides something. A volatile read of a value that atomics change is a hint.
bool is_about_data(const LaunchReview& launch, const FlagReads& flags, const races::Race& r) {
  if (harmless(r)) return false;
  for (const races::Side* s : {&r.first, &r.second}) {
    if (s->pc >= flags.at_flag.size() || flags.at_flag[s->pc]) return false;
    const std::string& text = launch.code[s->pc].text;
    if (text.find(".cas") != std::string::npos) return false;
    const races::Side& other = s == &r.first ? r.second : r.first;
    if (!races::writes(s->touch) && !races::is_volatile(other.touch)) return false;
  }
  return true;
}

/// A plain read that only spares an atomic minimum or maximum at its place, and such an atomic of another thread.
bool is_guard_of_atomic(const LaunchReview& launch, const FlagReads& flags, const races::Race& r) {
  const bool first = r.first.touch == races::Touch::read;
  const races::Side &read = first ? r.first : r.second, &other = first ? r.second : r.first;
  if (read.touch != races::Touch::read || other.touch != races::Touch::strong_write) return false;
  if (r.missing == Missing::completion || r.missing == Missing::scope || r.missing == Missing::cluster_scope)
    return false;
  if (read.pc >= flags.guards.size() || !flags.guards[read.pc] || other.pc >= launch.code.size()) return false;
  const std::string& text = launch.code[other.pc].text;
  return text.find(".min.") != std::string::npos || text.find(".max.") != std::string::npos;
}

/// Facts of the text about the two accesses.
Relation relation_of(const ReviewInput& input, const LaunchReview& launch, const FlagReads& flags,
                     const races::Race& r) {
  Relation out{.one_instruction = r.first.pc == r.second.pc, .lone_flags = flags.lone(), .fence = flags.fence};
  for (const races::Side* s : {&r.first, &r.second}) {
    const races::Side& other = s == &r.first ? r.second : r.first;
    out.swapped = out.swapped || (s->touch == races::Touch::read && other.pc < launch.code.size() &&
                                  launch.code[other.pc].text.find(".cas") != std::string::npos);
  }
  const auto lock_of = [&](std::uint32_t pc) {
    return std::ranges::find_if(flags.locks, [&](const Lock& l) { return l.holds(pc); });
  };
  const auto one = lock_of(r.first.pc), other = lock_of(r.second.pc);
  if (one != flags.locks.end() && other != flags.locks.end()) {
    out.lock = std::min(one->after, one->before) < std::min(other->after, other->before) ? *one : *other;
    out.lock_line = line_of(input, launch, out.lock.takes);
    out.release_line = line_of(input, launch, out.lock.gives_back);
  }
  return out;
}

/// Races of one pair of lines.
struct OfLines {
  races::Race shown;
  /// Of a read and a write, of two writes.
  std::array<std::uint64_t, 2> times{};

  static std::size_t kind(const races::Race& r) {
    return races::writes(r.first.touch) && races::writes(r.second.touch) ? 1 : 0;
  }
  void count(const races::Race& r) { times[kind(r)] += r.times; }
  std::uint64_t such() const { return times[kind(shown)]; }
};

/// One finding for each pair of lines; the earlier access is named first, and the finding is at the later one.
void races_of(const ReviewInput& input, int index, FoundOnce& out) {
  const LaunchReview& launch = *input.launches[static_cast<std::size_t>(index)].launch;
  const AccessCollector& seen = *input.launches[static_cast<std::size_t>(index)].seen;
  const std::set<std::uint32_t> lost = lost_updates(seen);
  std::map<std::tuple<std::string_view, int, int>, OfLines> pairs;
  std::set<std::tuple<std::string_view, int, int>> guards;   ///< of `pairs`
  std::map<std::pair<Missing, int>, races::Race> lifetimes;  ///< by line of the access
  std::set<int> unordered_lines;  ///< with races of blocks of a cluster: the barrier that orders them ensures the rest
  for (const races::Race& r : seen.races().races())
    if (r.missing == Missing::cluster_barrier)
      for (const races::Side* s : {&r.first, &r.second}) unordered_lines.insert(line_of(input, launch, s->pc));
  if (seen.races().races().empty() && seen.races().volatile_pairs().empty()) return;
  const FlagReads flags = flag_reads(launch);
  std::vector<races::Race> all = seen.races().races();
  std::ranges::copy_if(seen.races().volatile_pairs(), std::back_inserter(all),
                       [&](const races::Race& r) { return is_about_data(launch, flags, r); });
  for (const races::Race& r : all) {
    if (r.missing == Missing::begin || r.missing == Missing::end) {
      const int line = line_of(input, launch, r.first.pc);
      if (r.missing == Missing::begin && unordered_lines.contains(line)) continue;
      const auto [at, fresh] = lifetimes.try_emplace({r.missing, line}, r);
      if (!fresh) at->second.times += r.times;
      continue;
    }
    const bool within_block = r.missing == Missing::barrier || r.missing == Missing::warp_sync;
    if (within_block && seen.barriers().would_order(r.first.pc, r.second.pc)) continue;
    if (said_by_writers(seen, r)) continue;
    const int first = line_of(input, launch, r.first.pc), second = line_of(input, launch, r.second.pc);
    auto [low, high] = std::minmax({first, second});
    // A lost change is reported at its write: the reads of the same threads belong to that finding.
    if (lost.contains(r.first.pc) && !races::writes(r.second.touch)) low = high = first;
    if (lost.contains(r.second.pc) && !races::writes(r.first.touch)) low = high = second;
    const auto [at, fresh] = pairs.try_emplace({rule_of(r), low, high}, OfLines{r});
    races::Race& shown = at->second.shown;
    at->second.count(r);
    // All meetings of the two lines have to be so.
    const bool guard = is_guard_of_atomic(launch, flags, r);
    if (fresh && guard) guards.insert(at->first);
    if (!guard && guards.erase(at->first) > 0)
      shown = r;
    else if (shown.own_reads.empty() && !r.own_reads.empty())
      shown = r;  // with what both had read
  }
  for (const auto& [key, r] : lifetimes)
    add(out, {"cluster-lifetime", key.second, 0, launch.launch.kernel, static_cast<int>(key.first)},
        {.finding = lifetime(input, launch, index, r), .times = r.times, .what = "accesses"});
  for (const auto& [key, of_lines] : pairs) {
    const auto& [rule, low, high] = key;
    const races::Race& r = of_lines.shown;
    const std::uint32_t pc = line_of(input, launch, r.first.pc) == high ? r.first.pc : r.second.pc;
    Relation relation = relation_of(input, launch, flags, r);
    relation.one_line = low == high;
    relation.same_cluster = seen.races().clusters() && seen.races().same_cluster(r.first.block, r.second.block);
    relation.loses_update = lost.contains(r.first.pc) || lost.contains(r.second.pc);
    const bool of_matrix = r.missing == Missing::completion && r.first.pc < launch.code.size() &&
                           launch.code[r.first.pc].text.find("wgmma") != std::string::npos;
    const std::string_view lost_words =
        relation.loses_update ? "; both change what they read, and one change can be lost" : "";
    Finding f = finding(rule, high, pc < launch.code.size() ? launch.code[pc].column : 0,
                        fmt::format("{}, {}{}", conflict_words(input, launch, r),
                                    of_matrix ? fmt::format("with nothing that waits for the product of matrices "
                                                            "(block {})",
                                                            r.first.block)
                                              : missing_words(r),
                                    lost_words));
    std::string_view tail;
    if (guards.contains(key)) {
      f.severity = Severity::warning;
      tail =
          "; the read only decides whether the atomic is done, which compares again: an old value costs an atomic, "
          "and changes no result as long as all writes there are such atomics";
      f.remedy =
          "read it by an atomic or volatile load (cuda::atomic_ref and its load(), or a pointer to volatile): C++ "
          "calls it a race, and a compiler may read once for all";
    }
    if (rule == "volatile-unordered")
      tail = "; which of them comes first is not determined: volatile keeps an access whole, and orders nothing";
    if (of_matrix) f.remedy = "wait first: wgmma.wait_group, and then a barrier";
    if (harmless(r)) f.message = "the same value is written: " + f.message;
    const bool own_remedy = harmless(r) || guards.contains(key);
    if (std::string remedy = remedy_of(r, relation); !remedy.empty() && !own_remedy) f.remedy = std::move(remedy);
    show_evidence(input, launch, index, r, of_lines.such(), f.evidence);
    const int kind = (guards.contains(key) ? 1 : 0) + (relation.loses_update ? 2 : 0);
    add(out, {rule, low, high, launch.launch.kernel, kind},
        {.finding = std::move(f), .times = of_lines.such(), .what = "pairs of accesses", .tail = tail});
  }
}

void not_watched(const ReviewInput& input, int index, std::vector<Finding>& out) {
  const LaunchReview& launch = *input.launches[static_cast<std::size_t>(index)].launch;
  const AccessCollector& seen = *input.launches[static_cast<std::size_t>(index)].seen;
  const auto add = [&](std::string message, std::string remedy) {
    Finding f = finding("global-unordered", line_of(input, launch, ~0u), 0, std::move(message));
    f.severity = Severity::note;
    f.evidence.launch = index;
    f.remedy = std::move(remedy);
    out.push_back(std::move(f));
  };
  if (const std::uint64_t words = seen.races().unwatched_words(); words > 0)
    add(fmt::format("{} of global memory {} not compared with others: this needs more than {} MiB",
                    counted(words, "access to a word", "accesses to words"), words == 1 ? "was" : "were",
                    seen.budget().races >> 20),
        "review it with smaller arrays");
  if (const std::uint64_t dropped = seen.races().dropped_accesses(); dropped > 0)
    add(fmt::format("{} of words that many threads share {} not kept: only {} of each word are",
                    counted(dropped, "access", "accesses"), dropped == 1 ? "was" : "were",
                    races::RaceObserver::most_records),
        "review it with fewer blocks");
}

}  // namespace

void race_rules(const ReviewInput& input, std::vector<Finding>& out) {
  FoundOnce races;
  for (int i = 0; i < static_cast<int>(input.launches.size()); ++i) {
    if (input.launches[static_cast<std::size_t>(i)].seen == nullptr) continue;
    races_of(input, i, races);
    not_watched(input, i, out);
  }
  for (auto& [key, found] : races) {
    Finding& f = found.finding;
    f.message += at_least(found.times, found.what, found.launches);
    f.message += found.tail;
    out.push_back(std::move(f));
  }
}

}  // namespace lanescope::review
