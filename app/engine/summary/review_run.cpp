// The review of what a session ran.

#include "app/engine/summary/summarize.h"

namespace lanescope::engine {
namespace {

std::vector<results::Party> parties_of(const review::Finding& f) {
  std::vector<results::Party> parties;
  for (const review::Evidence::Side& s : f.evidence.sides)
    parties.push_back(
        {.does = s.does, .line = s.line, .block = s.block, .warp = s.warp, .lane = s.lane, .launch = s.launch});
  return parties;
}

results::FindingInfo info_of(const review::Finding& f) {
  return {.rule = f.rule,
          .message = f.message,
          .remedy = f.remedy,
          .line = f.line,
          .column = f.column,
          .severity = f.severity,
          .block = f.evidence.block,
          .warp = f.evidence.warp,
          .lanes = f.evidence.lanes,
          .shared = f.evidence.space == trace::MemorySpace::shared,
          .width_bytes = f.evidence.width_bytes,
          .matrices = f.evidence.matrices,
          .buffer = f.evidence.buffer,
          .offsets = f.evidence.addresses,
          .expected = f.expected,
          .saving = f.saving,
          .saved = f.saved,
          .parties = parties_of(f),
          .launch = f.evidence.launch,
          .interleaving = f.evidence.interleaving};
}

/// Only a launch that ran to its end shows that something did not happen.
bool needs_the_end(const review::Finding& f, const std::vector<emulator::Fault>& faults) {
  if (faults.empty()) return false;
  const bool stopped_lanes = faults.back().kind == emulator::Fault::Kind::unsupported;
  return f.rule == "pointer-offset-gap" || f.rule == "never-written" || f.rule == "barrier-unneeded" ||
         f.rule == "expected-absent" || (f.rule == "barrier-divergent" && stopped_lanes);
}

/// Of a kernel that calls a function by itself only what is wrong in the function counts: its arrays and its launch are
/// made up.
bool is_of_generated_code(const review::Finding& f, const source::Source& source) {
  if (source.contracts.empty()) return false;
  const bool of_buffer = std::ranges::any_of(
      source.header.buffers, [&](const source::BufferSpec& b) { return b.generated && b.name == f.evidence.buffer; });
  const bool at_input = std::ranges::any_of(
      source.contracts, [&](const source::Contract& c) { return c.launch >= 0 && c.line == f.line; });
  const bool of_kernel = std::ranges::any_of(source.functions, [&](const source::Function& kernel) {
    return kernel.first_line <= f.line && f.line <= kernel.last_line &&
           std::ranges::find(source.contracts, kernel.name, &source::Contract::kernel) != source.contracts.end();
  });
  return of_buffer || at_input || of_kernel ||
         (source::is_generated(source, f.evidence.launch) && f.severity != Severity::error);
}

}  // namespace

std::vector<review::Finding> review_run(const RunRequest& request, const Prepared& prepared, const PlainRun& plain,
                                        results::Summary& summary) {
  std::vector<claims::ClaimResult> verdicts;
  for (const results::ClaimInfo& c : summary.claims) verdicts.push_back(c.result);
  review::ReviewInput input{.source = &*prepared.source, .claims = verdicts, .arch = prepared.arch};
  for (const auto& [entry, r] : prepared.resources)
    input.resources.push_back({.entry = entry, .registers = r.registers, .spill_bytes = r.spill_bytes});
  input.uses = plain.uses;
  input.left = plain.left;
  for (const auto& r : plain.reviewed) input.launches.push_back({&r->launch, r->seen.get(), r->again.get()});
  for (const WatchedTree& t : plain.trees) input.trees.push_back({t.first, t.races.get()});
  if (plain.heap != nullptr && plain.faults.empty() && plain.refused.empty() && plain.whole())
    for (const review::LaunchReview::Allocation& a : allocations_of(*plain.heap))
      if (!a.freed) input.left_in_heap.push_back(a);
  std::vector<review::Finding> findings = review::review(input);
  std::erase_if(findings, [&](const review::Finding& f) {
    return needs_the_end(f, plain.faults) || is_of_generated_code(f, *prepared.source);
  });
  if (request.review) {
    for (const review::Finding& f : findings) summary.findings.push_back(info_of(f));
    return findings;
  }
  std::erase_if(findings, [](const review::Finding& f) {  // mistakes of the host code
    return f.rule != "stream-order" && f.rule != "call-fails" && f.rule != "wrong-memory";
  });
  for (const review::Finding& f : findings)
    if (!f.expected)
      summary.diagnostics.push_back({.file = request.file,
                                     .line = f.line,
                                     .message = f.message,
                                     .remedy = f.remedy,
                                     .severity = Severity::warning});
  return findings;
}

}  // namespace lanescope::engine
