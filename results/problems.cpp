#include "results/problems.h"

#include <algorithm>
#include <array>
#include <tuple>

namespace lanescope::results {
namespace {

using Kind = Problem::Kind;

struct RuleWords {
  std::string_view rule, title;
  Kind kind;
};
// Rules that are not here are findings, by their own name.
constexpr std::array<RuleWords, 14> rule_words{{{"barrier-missing", "race", Kind::race},
                                                {"write-overlap", "written by several", Kind::race},
                                                {"barrier-divergent", "divergent barrier", Kind::race},
                                                {"claim-typo", "misspelt row", Kind::claim},
                                                {"pointer-offset-differs", "pointer offset differs", Kind::claim},
                                                {"partial-lines", "partial lines", Kind::cost},
                                                {"bank-conflict", "bank conflict", Kind::cost},
                                                {"narrow-load", "narrow loads", Kind::cost},
                                                {"double-precision", "double precision", Kind::cost},
                                                {"missing-launch-bounds", "no launch bounds", Kind::cost},
                                                {"divergence", "divergence", Kind::cost},
                                                {"spills", "spills", Kind::cost},
                                                {"barrier-unneeded", "unneeded barrier", Kind::cost},
                                                {"expected-absent", "expected finding absent", Kind::finding}}};

Problem of_diagnostic(const Diagnostic& d, const SourceLines& lines, std::string title) {
  Problem p{.kind = Kind::input,
            .severity = d.severity,
            .title = std::move(title),
            .message = d.message,
            .remedy = d.remedy,
            .saving = {},
            .rule = {},
            .line = lines.unit_line(d.file, d.line),
            .column = d.column};
  return p;
}

Problem of_fault(const FaultInfo& f) {
  return {.kind = Kind::fault,
          .severity = Severity::error,
          .title = f.kind,
          .message = f.message,
          .remedy = f.remedy,
          .saving = {},
          .rule = {},
          .line = f.line,
          .parties = f.parties,
          .block = f.block,
          .warp = f.warp,
          .lane = f.lane,
          .step = f.step};
}

Problem of_finding(const FindingInfo& f, int index) {
  const auto* words = std::ranges::find(rule_words, f.rule, &RuleWords::rule);
  const bool known = words != rule_words.end();
  Problem p{.kind = known ? words->kind : Kind::finding,
            .severity = f.expected ? Severity::note : f.severity,
            .expected = f.expected,
            .title = known ? std::string(words->title) : f.rule,
            .message = f.message,
            .remedy = f.remedy,
            .saving = f.saving,
            .rule = f.rule,
            .line = f.line,
            .column = f.column,
            .parties = f.parties,
            .block = f.block,
            .warp = f.warp,
            .step = f.step,
            .finding = index};
  return p;
}

/// The finding of the review that says the same of a claim; nullptr: there was no review.
const FindingInfo* finding_of(const Summary& summary, const ClaimInfo& claim, std::string_view rule) {
  const auto at = std::ranges::find_if(
      summary.findings, [&](const FindingInfo& f) { return f.rule == rule && f.line == claim.claim.first_line; });
  return at == summary.findings.end() ? nullptr : &*at;
}

Problem of_claim(const Summary& summary, const ClaimInfo& c, int index) {
  const claims::ClaimResult& r = c.result;
  const bool differs = r.verdict == claims::Verdict::differs;
  const FindingInfo* found = finding_of(summary, c, differs ? "claim-differs" : "claim-unchecked");
  Problem p{.kind = Kind::claim,
            .severity = differs ? Severity::error : Severity::note,
            .expected = found != nullptr && found->expected,
            .title = c.claim.variable + (differs ? " differs" : " is unchecked"),
            .message = differs ? r.difference : r.reason,
            .remedy = {},
            .saving = {},
            .rule = differs ? "claim-differs" : "claim-unchecked",
            .line = c.claim.first_line,
            .claim = index};
  if (p.expected) p.severity = Severity::note;
  if (!differs) return p;
  if (p.message.empty()) p.message = "the actual assignment is another one";
  if (const std::string blame = claims::blame_words(r); !blame.empty())
    p.message += "; " + summary.lines.sentence(blame);
  p.remedy = r.others_hold > 0 ? "correct the comment" : "correct the comment, or the code that it describes";
  p.parties.push_back({.does = "stated: " + layout::print_line(c.claim.stated), .line = c.claim.first_line});
  Party actual{.does = "actual: " + (r.actual ? layout::print_line(*r.actual) : r.actual_words),
               .line = r.others_hold > 0 ? 0 : r.first_false_line,
               .step = c.step};
  if (r.first_failure) {
    p.block = actual.block = r.first_failure->block;
    p.warp = actual.warp = static_cast<int>(r.first_failure->warp);
    p.step = c.step;
  }
  p.parties.push_back(std::move(actual));
  return p;
}

bool is_claim_rule(std::string_view rule) { return rule == "claim-differs" || rule == "claim-unchecked"; }

void worst_first(std::vector<Problem>& problems) {
  std::ranges::stable_sort(problems, {},
                           [](const Problem& p) { return std::tuple(p.severity, p.expected, p.kind, p.line); });
}

}  // namespace

std::vector<Problem> problems_of(const Summary& summary) {
  std::vector<Problem> problems;
  for (const FaultInfo& f : summary.faults) problems.push_back(of_fault(f));
  for (const Diagnostic& d : summary.diagnostics) {
    const bool fault = std::ranges::any_of(summary.faults, [&](const FaultInfo& f) {
      return f.message == d.message && f.line == summary.lines.unit_line(d.file, d.line);
    });
    if (!fault) problems.push_back(of_diagnostic(d, summary.lines, summary.ok ? "result" : "does not run"));
  }
  for (std::size_t i = 0; i < summary.claims.size(); ++i)
    if (summary.claims[i].result.verdict != claims::Verdict::holds)
      problems.push_back(of_claim(summary, summary.claims[i], static_cast<int>(i)));
  for (std::size_t i = 0; i < summary.findings.size(); ++i) {
    const FindingInfo& f = summary.findings[i];
    // Without a run's verdicts the review is the only one that speaks of claims.
    if (!is_claim_rule(f.rule) || summary.claims.empty()) problems.push_back(of_finding(f, static_cast<int>(i)));
  }
  worst_first(problems);
  return problems;
}

std::vector<Problem> problems_of(const Diagnostics& diagnostics, const SourceLines& lines) {
  std::vector<Problem> problems;
  for (const Diagnostic& d : diagnostics)
    problems.push_back(of_diagnostic(d, lines, d.severity == Severity::error ? "does not run" : "compiler"));
  worst_first(problems);
  return problems;
}

const FaultInfo* fault_at(const Summary& summary, std::int64_t step) {
  const auto at = std::ranges::find(summary.faults, step, &FaultInfo::step);
  return step < 0 || at == summary.faults.end() ? nullptr : &*at;
}

ProblemCounts count(const std::vector<Problem>& problems) {
  ProblemCounts counts;
  for (const Problem& p : problems) {
    if (p.severity == Severity::error) ++counts.errors;
    if (p.severity == Severity::warning) ++counts.warnings;
    if (p.severity == Severity::note) ++counts.notes;
  }
  return counts;
}

std::string_view severity_name(Severity severity) {
  return severity == Severity::error ? "error" : severity == Severity::warning ? "warning" : "note";
}

std::string place_words(std::int64_t block, int warp, int lane) {
  std::string words;
  const auto add = [&](const char* name, std::int64_t number) {
    if (number >= 0) words += (words.empty() ? "" : ", ") + std::string(name) + " " + std::to_string(number);
  };
  add("block", block), add("warp", warp), add("lane", lane);
  return words;
}

}  // namespace lanescope::results
