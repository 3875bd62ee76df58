// Barriers that order nothing, and barriers that only a part of a block reaches: the rules on unneeded barriers and on
// missing ones (race_rules.cpp) do not report accesses that the latter would order.

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "profiling/review/findings/rule_set.h"
#include "profiling/review/observe/second_look.h"

namespace lanescope::review {
namespace {

/// "waits of blocks": saving of a removed barrier.
std::string waits_of(const SecondLook::Unneeded& u) {
  return u.of_warp      ? counted(u.times, "wait of a warp", "waits of warps")
         : u.of_cluster ? counted(u.times, "wait of a cluster", "waits of clusters")
                        : counted(u.times, "wait of a block", "waits of blocks");
}

/// The place in the source also has atomics: its barriers are parts of one of the grid (this_grid().sync()), which orders
/// blocks even if they order nothing within each.
bool is_part_of_larger(const LaunchReview& launch, std::uint32_t pc) {
  const trace::CodeSite& here = launch.code[pc];
  return here.line > 0 && std::ranges::any_of(launch.code, [&](const trace::CodeSite& site) {
           return site.kind == trace::StepKind::atomic && std::tie(site.line, site.column, site.inner_line) ==
                                                              std::tie(here.line, here.column, here.inner_line);
         });
}

/// Where a barrier can be taken away: inside an inlined function if none of the calls needs it, else at the call.
int line_to_remove(const ReviewInput& input, const LaunchReview& launch, const SecondLook& again, std::uint32_t pc) {
  const trace::CodeSite& here = launch.code[pc];
  const auto is_needed = [&](const trace::CodeSite& site) {
    return site.inner_line == here.inner_line && site.text == here.text &&
           std::ranges::none_of(again.unneeded, [&](const SecondLook::Unneeded& u) {
             const trace::CodeSite& other = launch.code[u.pc];
             return std::tie(other.line, other.column, other.inner_line) ==
                    std::tie(site.line, site.column, site.inner_line);
           });
  };
  const bool at_call = here.inner_line > 0 && here.line > 0 && std::ranges::any_of(launch.code, is_needed);
  return at_call ? here.line : line_of(input, launch, pc);
}

void unneeded(const ReviewInput& input, int index, std::vector<Finding>& out) {
  const auto& ran = input.launches[static_cast<std::size_t>(index)];
  const LaunchReview& launch = *ran.launch;
  if (ran.again == nullptr || ran.seen->writes().barriers_part()) return;
  // A barrier may order writes of the block before reads of a child grid, which are not observed.
  if (std::ranges::any_of(launch.code, [](const trace::CodeSite& site) {
        return site.text.find("__cudaCDP2LaunchDevice") != std::string::npos;
      }))
    return;
  if (!std::ranges::all_of(ran.seen->barriers().partial(), &BarrierReach::Partial::harmless)) return;
  const auto several = std::ranges::count_if(
      ran.again->unneeded, [&](const SecondLook::Unneeded& u) { return !is_part_of_larger(launch, u.pc); });
  for (const SecondLook::Unneeded& u : ran.again->unneeded) {
    if (is_part_of_larger(launch, u.pc)) continue;
    Finding f =
        finding("barrier-unneeded", line_to_remove(input, launch, *ran.again, u.pc), launch.code[u.pc].column,
                fmt::format("{} orders nothing in this run: in {}, without it every two accesses that "
                            "conflict are ordered as well",
                            u.of_warp      ? "this barrier of a warp"
                            : u.of_cluster ? "this barrier of a cluster"
                                           : "this barrier",
                            u.of_warp      ? counted(u.times, "execution by a warp", "executions by warps")
                            : u.of_cluster ? counted(u.times, "execution by a cluster", "executions by clusters")
                                           : counted(u.times, "execution by a block", "executions by blocks")));
    f.remedy = several > 1
                   ? fmt::format("remove it, but not all {} of these at once: one may do what another does", several)
                   : "remove it, unless other sizes of block or grid need it";
    f.evidence = evidence_of(launch, index, u.last);
    f.evidence.numbers = {{"times", static_cast<double>(u.times)}};
    f.saving = fmt::format("{} at a barrier", waits_of(u));
    out.push_back(std::move(f));
  }
}

std::string reached_words(const BarrierReach::Partial& p) {
  if (p.least > 0)
    return fmt::format("threads of block {} reach this barrier between {} and {} times", p.block, p.least, p.most);
  return fmt::format("this barrier is reached by {} of {} threads of block {}", p.reached, p.threads, p.block);
}

/// Threads that reach the barrier, and the others.
std::vector<Evidence::Side> divergent_sides(const ReviewInput& input, const LaunchReview& launch,
                                            const BarrierReach& barriers, const BarrierReach::Partial& p) {
  const int line = line_of(input, launch, barriers.pc_of(p.place));
  Evidence::Side here{.does = fmt::format("{} of {} threads reach the barrier", p.reached, p.threads),
                      .line = line,
                      .block = p.block,
                      .warp = static_cast<int>(p.first.warp)};
  Evidence::Side others{.does = p.continues ? "the others continue without it" : "the others exit without reaching it",
                        .line = 0,
                        .block = p.block};
  if (p.least > 0) {
    here.does = fmt::format("some threads reach the barrier {} times", p.most);
    others.does = fmt::format("others {} times", p.least);
  }
  if (p.other >= 0) {
    others.line = line_of(input, launch, barriers.pc_of(p.other));
    others.does = "the others wait here";
  }
  return {here, others};
}

/// Threads that have ended are not waited for (compute capability 7.0 and later), so a barrier that some left the
/// kernel before is a warning; others are errors.
void divergent(const ReviewInput& input, int index, std::vector<Finding>& out) {
  const LaunchReview& launch = *input.launches[static_cast<std::size_t>(index)].launch;
  const BarrierReach& barriers = input.launches[static_cast<std::size_t>(index)].seen->barriers();
  for (const BarrierReach::Partial& p : barriers.partial()) {
    const std::uint32_t pc = barriers.pc_of(p.place);
    std::string others = p.least > 0 ? "" : "; the others exit without reaching it";
    if (p.other >= 0)
      others = fmt::format("; the others wait at line {}", line_of(input, launch, barriers.pc_of(p.other)));
    else if (p.continues)
      others = p.least > 0 ? "; some continue while others wait" : "; the others continue without it";
    Finding f = finding("barrier-divergent", line_of(input, launch, pc), launch.code[pc].column,
                        fmt::format("{}{}{}", reached_words(p), others,
                                    p.blocks > 1 ? fmt::format("; likewise in {} blocks in all", p.blocks) : ""));
    if (p.harmless()) {
      f.severity = Severity::warning;
      f.remedy =
          "let all threads reach it, also those without work: GPUs before compute capability 7.0 wait for them forever";
    }
    f.evidence = evidence_of(launch, index, p.first);
    f.evidence.sides = divergent_sides(input, launch, barriers, p);
    f.evidence.numbers = {{"threads that reach it", static_cast<double>(p.reached)},
                          {"threads", static_cast<double>(p.threads)},
                          {"least times", static_cast<double>(p.least)},
                          {"most times", static_cast<double>(p.most)},
                          {"blocks", static_cast<double>(p.blocks)}};
    out.push_back(std::move(f));
  }
}

}  // namespace

void barrier_rules(const ReviewInput& input, std::vector<Finding>& out) {
  for (int i = 0; i < static_cast<int>(input.launches.size()); ++i) {
    if (input.launches[static_cast<std::size_t>(i)].seen == nullptr) continue;
    divergent(input, i, out);
    unneeded(input, i, out);
  }
}

// Loops that end only because each lane has its own program counter.

void warp_rules(const ReviewInput& input, std::vector<Finding>& out) {
  for (int i = 0; i < static_cast<int>(input.launches.size()); ++i) {
    const auto& ran = input.launches[static_cast<std::size_t>(i)];
    if (ran.seen == nullptr) continue;
    for (const Lockstep::Wait& w : ran.seen->lockstep().waits()) {
      const int polls = line_of(input, *ran.launch, w.polls.pc), writes = line_of(input, *ran.launch, w.writes.pc);
      const auto waiting = static_cast<std::uint64_t>(__builtin_popcount(w.polls.active));
      Finding f = finding(
          "lockstep-hang", polls, ran.launch->code[w.polls.pc].column,
          fmt::format(
              "{} of block {}, warp {} {} in a loop for lane {} of their own warp, which ends it in line {}: this "
              "would hang on GPUs before compute capability 7.0, whose lanes run in lockstep",
              counted(waiting, "lane", "lanes"), w.polls.block, w.polls.warp, waiting == 1 ? "waits" : "wait", w.writer,
              writes));
      f.evidence = evidence_of(*ran.launch, i, w.polls);
      f.evidence.sides = {{.does = "waits in a loop",
                           .line = polls,
                           .block = w.polls.block,
                           .warp = static_cast<int>(w.polls.warp),
                           .lane = __builtin_ctz(w.polls.active)},
                          {.does = "ends the wait",
                           .line = writes,
                           .block = w.writes.block,
                           .warp = static_cast<int>(w.writes.warp),
                           .lane = w.writer}};
      out.push_back(std::move(f));
    }
  }
}

}  // namespace lanescope::review
