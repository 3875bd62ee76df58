// Where problems are: faults as values, and the recorded steps of faults, findings, their parties and failing claims.
//
// Findings and faults come from the plain run, while the recorded steps are those of the probed one. Both execute the same
// accesses in the same order, so that an access is found again by warp, line, lanes and addresses. Where a loop comes to
// the same addresses several times, barriers show which time is meant (review::Evidence::Side::epoch).

#include <algorithm>
#include <map>
#include <tuple>

#include <fmt/format.h>

#include "app/engine/summary/summarize.h"
#include "kernels/base/enum_size.h"
#include "kernels/emulator/machine/placement.h"
#include "profiling/review/observe/barrier_text.h"
#include "results/problems.h"

namespace lanescope::engine {
namespace {

using Kind = emulator::Fault::Kind;

/// Accesses of one line that are compared with a finding's, at most.
constexpr int most_compared = 20'000;

struct FaultWords {
  std::string_view name, remedy;
};
constexpr FaultWords fault_words[] = {
    {"out of bounds", "check the index and the buffer's extents in the launch header"},
    {"misaligned address", "an access of N bytes needs an address that is a multiple of N"},
    {"barrier never completes", "let every thread of the block that has not exited reach the same barrier"},
    {"deadlock", "this is a deadlock; check which warps wait for each other"},
    {"cut at the step limit", "check the loop's condition, or raise the step limit"},
    {"not supported here", "this needs a GPU"},
    {"trap", "check the condition that leads to it"},
    {"shuffle from an inactive lane", "read only from active lanes"},
    {"operations that do not join",
     "let all that wait for each other execute the same operation, at a barrier with the same number of threads"},
    {"barrier in divergent code", "let all lanes of a warp come to the same barrier"},
    {"member mask",
     "the lanes that execute it must be those that the mask names: compute the mask before they diverge"},
    {"assertion does not hold", "correct the assertion or the code before it"},
    {"breakpoint", "remove the breakpoint: without a debugger it ends the launch"},
    {"launch refused", "launch within the limits of the device"},
    {"memory is not allocated", "free each allocation once, with the address that malloc or new returned"},
    {"cancelled", ""}};

// --- steps of the recorded block ----------------------------------------------------------------------------------------

class Finder {
 public:
  explicit Finder(const RunState& state)
      : state_(state), trace_(state.recorded() ? &state.recorded()->trace : nullptr) {}

  /// launch -1: of any
  bool recorded(int launch, std::int64_t block) const {
    return trace_ != nullptr && block == static_cast<std::int64_t>(state_.request.record_block) &&
           (launch < 0 || launch == state_.recorded_launch);
  }

  /// The record begins in the midst of the block.
  bool begins_later() const { return trace_ != nullptr && trace_->first_step > 0; }

  /// The last step of a warp: where a fault ended it.
  std::int64_t last_step(int warp) const {
    if (trace_->truncated) return -1;
    for (std::size_t i = trace_->steps.size(); i-- > 0;)
      if (static_cast<int>(trace_->steps[i].warp) == warp) return static_cast<std::int64_t>(i);
    return -1;
  }

  struct Wanted {
    int warp = -1, line = 0;
    trace::MemorySpace space = trace::MemorySpace::global;
    std::uint32_t lanes = 0;
    std::array<std::uint64_t, 32> addresses{};
    int epoch = -1;       ///< -1: any
    bool inside = false;  ///< the addresses may be any that the access touches, not only where it begins
  };
  /// The first access of this warp and line whose `lanes` have these addresses.
  std::int64_t access(const Wanted& w) const {
    if (trace_->first_step > 0) return -1;  // which time it is that is meant cannot be determined
    int compared = 0;
    for (std::size_t i = 0; i < trace_->accesses.size() && compared < most_compared; ++i) {
      const std::uint64_t step = trace_->accesses.step(i);
      if (static_cast<int>(trace_->steps[step].warp) != w.warp || trace_->accesses.space(i) != w.space ||
          line_of(*trace_, step) != w.line)
        continue;
      ++compared;
      if (w.epoch >= 0 && barriers_before(w.warp, step) != w.epoch) continue;
      if (touches(trace_->accesses[i], w)) return static_cast<std::int64_t>(step);
    }
    return -1;
  }

  /// Where a claim's probe had run for the n-th time in a warp, n from 0: each word that it reads is a step.
  std::int64_t probe(int probe, int warp, std::uint32_t iteration) const {
    std::map<std::pair<int, int>, std::uint32_t> times;
    for (const auto& [shown, number] : trace_->beginning.times)
      if (const auto& [by, word, in] = shown; by == probe && static_cast<int>(in) == warp)
        times[{word.variable, word.byte_offset}] = number;
    std::int64_t last = -1;
    for (std::size_t i = 0; i < trace_->probes.size(); ++i) {
      const std::uint64_t step = trace_->probes.step(i);
      if (static_cast<int>(trace_->steps[step].warp) != warp || trace_->probes[i].probe != probe) continue;
      if (times[{trace_->probes.variable(i), trace_->probes.byte_offset(i)}]++ == iteration)
        last = static_cast<std::int64_t>(step);
    }
    return last;
  }

  /// Steps that print, of a warp and a line of the user's, in their order.
  const std::vector<std::uint64_t>& printing(int warp, int line) const {
    if (!printing_known_) {
      printing_known_ = true;
      std::vector<bool> prints(trace_->code.size());
      for (std::size_t pc = 0; pc < prints.size(); ++pc) prints[pc] = trace_->code[pc].text.find("vprintf") < 48;
      for (std::size_t i = 0; i < trace_->steps.size(); ++i) {
        const trace::StepRecord& s = trace_->steps[i];
        if (s.pc < prints.size() && prints[s.pc])
          printing_[{static_cast<int>(s.warp), line_of(*trace_, i)}].push_back(i);
      }
    }
    return printing_[{warp, line}];
  }

  bool runs_in(std::uint64_t step, int lane) const { return (trace_->steps[step].active >> lane & 1) != 0; }

  std::optional<std::string_view> array_of(const emulator::Fault& f) const {
    return engine::array_of(f, state_.prepared.buffers, emulator::place_buffers(state_.prepared.buffers));
  }

  std::uint64_t address_of(const std::string& buffer) const {
    for (std::size_t i = 0; i < trace_->buffers.size() && i < trace_->buffer_addresses.size(); ++i)
      if (trace_->buffers[i].name == buffer) return trace_->buffer_addresses[i];
    return 0;
  }

 private:
  static bool touches(const trace::AccessRecord& record, const Wanted& w) {
    if ((record.mask & w.lanes) != w.lanes) return false;
    for (std::size_t lane = 0; lane < 32; ++lane) {
      if ((w.lanes >> lane & 1) == 0) continue;
      // A race is of words: an access of several bytes may begin before the word it meets the other at.
      const std::uint64_t from = record.addresses[lane], end = from + static_cast<unsigned>(record.width_bytes);
      if (w.addresses[lane] != from && (!w.inside || w.addresses[lane] / 4 < from / 4 || w.addresses[lane] >= end))
        return false;
    }
    return true;
  }

  /// Barriers of the whole block that a warp had executed before a step.
  int barriers_before(int warp, std::uint64_t step) const {
    if (barrier_steps_.empty()) barrier_steps_.resize(trace_->launch.warps_per_block());
    std::vector<std::uint64_t>& steps = barrier_steps_[static_cast<std::size_t>(warp)];
    if (steps.empty()) {
      for (std::size_t i = 0; i < trace_->steps.size(); ++i) {
        const trace::StepRecord& s = trace_->steps[i];
        if (static_cast<int>(s.warp) == warp && s.pc < trace_->code.size() &&
            review::of_whole_block(trace_->code[s.pc].text))
          steps.push_back(i);
      }
      steps.push_back(~std::uint64_t{0});  // an end: never empty again
    }
    return static_cast<int>(std::ranges::lower_bound(steps, step) - steps.begin());
  }

  const RunState& state_;
  const trace::Trace* trace_;
  mutable std::vector<std::vector<std::uint64_t>> barrier_steps_;  ///< by warp
  mutable bool printing_known_ = false;
  mutable std::map<std::pair<int, int>, std::vector<std::uint64_t>> printing_;  ///< by warp and line
};

// --- faults -------------------------------------------------------------------------------------------------------------

/// The buffer that begins last at or before an address, else the first.
const results::BufferInfo* buffer_near(const results::Summary& summary, std::uint64_t address) {
  const results::BufferInfo* best = nullptr;
  for (const results::BufferInfo& b : summary.buffers)
    if (best == nullptr || (b.address <= address && (best->address > address || b.address > best->address))) best = &b;
  return best;
}

std::string elements_words(const results::BufferInfo& b) {
  return fmt::format("`{}` has {} {} of {} bits, {} bytes", b.name, b.elements,
                     b.elements == 1 ? "element" : "elements", b.element_bits, b.bytes);
}

results::FaultInfo fault_info(const emulator::Fault& f, const results::Summary& summary) {
  results::FaultInfo info{.kind = std::string(entry_for(fault_words, f.kind).name),
                          .what = f.what,
                          .message = f.message,
                          .remedy = remedy_of(f),
                          .line = f.line,
                          .block = f.where.block,
                          .warp = static_cast<int>(f.where.warp),
                          .lane = f.lane,
                          .only_cut = is_only_cut(f)};
  info.parties.push_back(
      {.does = "executes it", .line = f.line, .block = info.block, .warp = info.warp, .lane = f.lane});
  if (f.kind != Kind::out_of_bounds) return info;
  const results::BufferInfo* b = buffer_near(summary, f.address);
  // Of global memory: shared and local addresses are small and their message says all there is.
  if (b == nullptr || b->address == 0 || f.address < summary.buffers.front().address || b->element_bits <= 0)
    return info;
  const std::uint64_t offset = f.address - b->address;
  info.parties.front().does =
      fmt::format("accesses element {} of `{}`", offset * 8 / static_cast<unsigned>(b->element_bits), b->name);
  info.parties.push_back({.does = elements_words(*b)});
  info.remedy = fmt::format("access `{0}` only where the index is less than {1}, or enlarge `{0}` in the launch header",
                            b->name, b->elements);
  return info;
}

void add_fault(const Finder& finder, const emulator::Fault& f, int launch, const std::vector<emulator::Fault>& probed,
               results::Summary& summary) {
  results::FaultInfo info = fault_info(f, summary);
  info.launch = launch;
  if (!info.only_cut) info.assumed = results::fault_rests_on(summary, launch, finder.array_of(f));
  const auto same = [&](const emulator::Fault& p) {
    return p.kind == f.kind && p.where.block == f.where.block && p.where.warp == f.where.warp;
  };
  if (finder.recorded(launch, info.block) && std::ranges::any_of(probed, same)) info.step = finder.last_step(info.warp);
  if (!info.parties.empty()) info.parties.front().step = info.step;
  summary.faults.push_back(std::move(info));
}

// --- findings -----------------------------------------------------------------------------------------------------------

std::int64_t step_of_evidence(const Finder& finder, const results::FindingInfo& f) {
  if (f.width_bytes <= 0 || f.lanes == 0) return -1;
  Finder::Wanted wanted{.warp = f.warp,
                        .line = f.line,
                        .space = f.shared ? trace::MemorySpace::shared : trace::MemorySpace::global,
                        .lanes = f.lanes,
                        .addresses = f.offsets};
  if (!f.shared)
    for (std::uint64_t& a : wanted.addresses) a += finder.address_of(f.buffer);
  return finder.access(wanted);
}

void place_parties(const Finder& finder, const std::vector<review::Evidence::Side>& sides, results::FindingInfo& f) {
  for (std::size_t i = 0; i < sides.size() && i < f.parties.size(); ++i) {
    const review::Evidence::Side& side = sides[i];
    results::Party& party = f.parties[i];
    if (!finder.recorded(side.launch >= 0 ? side.launch : f.launch, side.block) || side.lane < 0) continue;
    if (!side.has_address) {  // one of the lanes of the access that is shown
      if (side.line == f.line && side.warp == f.warp) party.step = f.step;
      continue;
    }
    Finder::Wanted wanted{.warp = side.warp,
                          .line = side.line,
                          .space = side.buffer.empty() ? trace::MemorySpace::shared : trace::MemorySpace::global,
                          .lanes = 1u << side.lane,
                          .epoch = side.epoch,
                          .inside = true};
    wanted.addresses[static_cast<std::size_t>(side.lane)] =
        side.address + (side.buffer.empty() ? 0 : finder.address_of(side.buffer));
    party.step = finder.access(wanted);
    const bool shown = side.block == f.block && side.warp == f.warp && (f.lanes >> side.lane & 1) != 0 &&
                       side.address == f.offsets[static_cast<std::size_t>(side.lane)];
    if ((i + 1 == f.parties.size() && party.line == f.line) || (f.step < 0 && shown)) f.step = party.step;
  }
}

/// The n-th call of a thread on a line belongs to the n-th step there that its lane takes part in.
void place_printed(const Finder& finder, std::vector<results::PrintedText>& all) {
  std::map<std::tuple<int, int, int>, std::size_t> next;  // by warp, lane, line: into the steps there
  for (results::PrintedText& p : all) {
    if (!finder.recorded(p.launch, p.block) || p.line <= 0 || finder.begins_later()) continue;
    const std::vector<std::uint64_t>& steps = finder.printing(p.warp, p.line);
    std::size_t& at = next[{p.warp, p.lane, p.line}];
    while (at < steps.size() && !finder.runs_in(steps[at], p.lane)) ++at;
    if (at < steps.size()) p.step = static_cast<std::int64_t>(steps[at++]);
  }
}

}  // namespace

void report_unpaired_claims(std::vector<results::ClaimInfo>& all) {
  const auto differs = [](const results::ClaimInfo& c) { return c.result.verdict == claims::Verdict::differs; };
  const auto holds = [](const results::ClaimInfo& c) { return c.result.verdict == claims::Verdict::holds; };
  for (results::ClaimInfo& c : all) c.result.others_hold = c.result.others_differ = 0;
  const auto wrong = static_cast<int>(std::ranges::count_if(all, differs));
  const auto right = static_cast<int>(std::ranges::count_if(all, holds));
  for (results::ClaimInfo& lonely : all) {
    if (!differs(lonely)) continue;
    // Where several differ, only a later claim on the same registers shows that the code continues as it should.
    const bool later = std::ranges::any_of(all, [&](const results::ClaimInfo& c) {
      const bool same = wrong == 1 || c.claim.registers == lonely.claim.registers;
      return holds(c) && same && c.launch == lonely.launch && c.claim.first_line > lonely.claim.last_line;
    });
    if (!later) continue;
    lonely.result.others_hold = right;
    lonely.result.others_differ = wrong - 1;
  }
}

std::string remedy_of(const emulator::Fault& fault) {
  return fault.remedy.empty() ? std::string(entry_for(fault_words, fault.kind).remedy) : fault.remedy;
}

void place_problems(const RunState& s, results::Summary& summary) {
  const Finder finder(s);
  place_printed(finder, summary.printed);
  const bool plain = s.request.plain_run && !s.plain.faults.empty();
  for (const emulator::Fault& f : plain ? s.plain.faults : s.probed.faults)
    add_fault(finder, f, static_cast<int>(plain ? s.plain.launches.size() : s.probed.launches.size()) - 1,
              s.probed.faults, summary);
  for (std::size_t i = 0; i < summary.findings.size() && i < s.findings.size(); ++i) {
    results::FindingInfo& f = summary.findings[i];
    const review::Evidence& evidence = s.findings[i].evidence;
    if (finder.recorded(f.launch, f.block)) f.step = step_of_evidence(finder, f);
    place_parties(finder, evidence.sides, f);
  }
  for (results::ClaimInfo& c : summary.claims) {
    const auto& at = c.result.first_failure;
    if (at && c.claim.probe >= 0 && finder.recorded(c.launch, at->block))
      c.step =
          finder.probe(c.result.probe >= 0 ? c.result.probe : c.claim.probe, static_cast<int>(at->warp), at->iteration);
  }
}

}  // namespace lanescope::engine
