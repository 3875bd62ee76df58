// Locks and barrier objects that keep threads apart, and order less than they are taken for.

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "profiling/review/findings/rule_set.h"
#include "profiling/review/races/flag_reads.h"

namespace lanescope::review {
namespace {

void of_launch(const ReviewInput& input, int index, std::vector<Finding>& out) {
  const auto& ran = input.launches[static_cast<std::size_t>(index)];
  const LaunchReview& launch = *ran.launch;
  if (launch.launch.grid.count() * launch.launch.block.count() < 2) return;
  if (std::ranges::none_of(launch.entry->code, [](const ptx::Instruction& i) { return i.opcode == "atom"; })) return;
  std::set<int> said;  // a lock that the compiler took apart, or that several functions take
  for (const Lock& lock : flag_reads(launch).locks) {
    const bool ran_there = std::ranges::any_of(ran.seen->totals(), [&](const auto& at) {
      return lock.takes < at.first.first && at.first.first < lock.gives_back;
    });
    const races::Scope needed = scope_needed(lock, launch);
    const std::string_view where = where_unfenced(lock, needed);
    if (!ran_there || !lock.protects || where.empty()) continue;
    // Then the race is reported, with the missing fence as its remedy.
    const auto holds = [&](const races::Race& r) { return lock.holds(r.first.pc) || lock.holds(r.second.pc); };
    if (std::ranges::any_of(ran.seen->races().races(), holds) ||
        std::ranges::any_of(ran.seen->races().volatile_pairs(), holds))
      continue;
    const int line = line_of(input, launch, lock.takes);
    if (!said.insert(line).second) continue;
    const std::string_view fence = needed == races::Scope::device ? "__threadfence()" : "__threadfence_block()";
    const bool narrow = std::min(lock.after, lock.before) == races::Scope::block ||
                        std::max(lock.after, lock.before) == races::Scope::block;
    Finding f = finding("lock-unfenced", line, launch.code[lock.takes].column,
                        fmt::format("the lock that is taken here and released in line {} has no fence {}{}: accesses "
                                    "that it protects may happen while another thread holds it",
                                    line_of(input, launch, lock.gives_back),
                                    narrow && needed == races::Scope::device ? "for other blocks " : "", where));
    f.remedy = fmt::format("add {} {}, or use acquire and release (cuda::atomic_ref)", fence, where);
    out.push_back(std::move(f));
  }
}

/// Their accesses count as ordered (races/instruction.h), so no other finding reports them.
void unscoped(const ReviewInput& input, int index, std::vector<Finding>& out) {
  const auto& ran = input.launches[static_cast<std::size_t>(index)];
  const LaunchReview& launch = *ran.launch;
  for (const auto& [pc, where] : ran.seen->races().unscoped()) {
    const bool arrives = launch.code[pc].text.find(".arrive") != std::string::npos;
    Finding f = finding(
        "barrier-object-scope", line_of(input, launch, pc), launch.code[pc].column,
        fmt::format("this {} names no scope, for which the PTX ISA takes .cta: it orders threads of one "
                    "block only; here it counts as .cluster",
                    arrives ? "arrival at a barrier object of another block" : "wait for threads of other blocks"));
    f.remedy = arrives ? "write mbarrier.arrive.release.cluster" : "write mbarrier.try_wait.acquire.cluster";
    f.evidence = evidence_of(launch, index, where);
    out.push_back(std::move(f));
  }
}

}  // namespace

void lock_rules(const ReviewInput& input, std::vector<Finding>& out) {
  for (int i = 0; i < static_cast<int>(input.launches.size()); ++i) {
    if (input.launches[static_cast<std::size_t>(i)].seen == nullptr) continue;
    of_launch(input, i, out);
    unscoped(input, i, out);
  }
}

// Loads through the read-only path of memory that the launch itself writes.

void coherence_rules(const ReviewInput& input, std::vector<Finding>& out) {
  for (int i = 0; i < static_cast<int>(input.launches.size()); ++i) {
    const auto& ran = input.launches[static_cast<std::size_t>(i)];
    if (ran.seen == nullptr) continue;
    const LaunchReview& launch = *ran.launch;
    std::map<std::pair<int, int>, std::pair<const IncoherentReads::Found*, std::uint64_t>> lines;  // once for each pair
    for (const auto& [pcs, f] : ran.seen->incoherent().found()) {
      auto& [first, times] = lines[{line_of(input, launch, f.load_pc), line_of(input, launch, f.write_pc)}];
      if (first == nullptr) first = &f;
      times += f.times;
    }
    for (const auto& [at, one] : lines) {
      const auto& [f, times] = one;
      const LaunchReview::Buffer& b = launch.buffers[static_cast<std::size_t>(f->buffer)];
      Finding finding_here = finding(
          "read-only-written", at.first, launch.code[f->load_pc].column,
          fmt::format("this load of `{}` takes the read-only path (ld.global.nc), which need not see what the kernel "
                      "writes, and line {} writes element {}, which it loads; {} such {}",
                      b.name, at.second, f->byte * 8 / static_cast<std::uint64_t>(std::max(b.element_bits, 1)), times,
                      times == 1 ? "piece" : "pieces"));
      finding_here.evidence = evidence_of(launch, i, f->later);
      finding_here.evidence.sides = {{.does = f->load_first ? "writes what was loaded" : "loads what was written",
                                      .line = f->load_first ? at.second : at.first,
                                      .block = f->later.block,
                                      .warp = static_cast<int>(f->later.warp),
                                      .lane = f->lane}};
      out.push_back(std::move(finding_here));
    }
    for (const int buffer : ran.seen->incoherent().not_compared()) {
      Finding note = finding(
          "read-only-written", line_of(input, launch, 0), 0,
          fmt::format("loads of `{}` through the read-only path were not compared with what the kernel writes there: "
                      "the buffer is too large, or its elements have other sizes than the accesses",
                      launch.buffers[static_cast<std::size_t>(buffer)].name));
      note.remedy = "review it with a smaller array";
      note.severity = Severity::note;
      out.push_back(std::move(note));
    }
  }
}

}  // namespace lanescope::review
