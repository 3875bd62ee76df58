#include "results/problems.h"

#include <algorithm>
#include <array>
#include <tuple>
#include <utility>

namespace lanescope::results {
namespace {

using Kind = Problem::Kind;

struct RuleWords {
  std::string_view rule, title;
  Kind kind;
};
// Rules that are not here are findings, by their own name.
constexpr std::array<RuleWords, 32> rule_words{{{"barrier-missing", "race", Kind::race},
                                                {"warp-sync-missing", "race", Kind::race},
                                                {"global-unordered", "race", Kind::race},
                                                {"stream-order", "unordered operations", Kind::race},
                                                {"volatile-unordered", "unordered volatile accesses", Kind::race},
                                                {"lock-unfenced", "lock without fence", Kind::race},
                                                {"uninitialised-read", "uninitialised read", Kind::race},
                                                {"copy-not-awaited", "race", Kind::race},
                                                {"read-only-written", "read-only memory written", Kind::race},
                                                {"shuffle-inactive-lane", "undefined shuffle", Kind::race},
                                                {"lockstep-hang", "waits for its own warp", Kind::finding},
                                                {"same-value-writes", "same value written", Kind::finding},
                                                {"write-overlap", "written by several", Kind::race},
                                                {"never-written", "never written", Kind::finding},
                                                {"barrier-divergent", "divergent barrier", Kind::race},
                                                {"claim-typo", "misspelt row", Kind::claim},
                                                {"pointer-offset-differs", "pointer offset differs", Kind::claim},
                                                {"partial-lines", "partial lines", Kind::cost},
                                                {"bank-conflict", "bank conflict", Kind::cost},
                                                {"narrow-access", "narrow accesses", Kind::cost},
                                                {"double-precision", "double precision", Kind::cost},
                                                {"missing-launch-bounds", "no launch bounds", Kind::cost},
                                                {"divergence", "divergence", Kind::cost},
                                                {"assumed-convergence", "assumed convergence", Kind::finding},
                                                {"spills", "spills", Kind::cost},
                                                {"barrier-unneeded", "unneeded barrier", Kind::cost},
                                                {"constant-replay", "constant replays", Kind::cost},
                                                {"expected-absent", "expected finding absent", Kind::finding},
                                                {"outside-array", "outside of its array", Kind::finding},
                                                {"call-fails", "call fails", Kind::finding},
                                                {"wrong-memory", "wrong memory", Kind::finding},
                                                {"printf-conversion", "printf conversion", Kind::finding}}};

Problem of_diagnostic(const Diagnostic& d, const SourceLines& lines, std::string title) {
  Problem p{.kind = Kind::input,
            .severity = d.severity,
            .title = std::move(title),
            .message = d.message,
            .remedy = d.remedy,
            .line = lines.unit_line(d.file, d.line),
            .column = d.column};
  return p;
}

Problem of_fault(const FaultInfo& f) {
  return {.kind = Kind::fault,
          .severity = f.only_cut ? Severity::warning : Severity::error,
          .assumed = !f.assumed.empty(),
          .title = f.kind,
          .message = f.what,
          .remedy = f.remedy,
          .line = f.line,
          .parties = f.parties,
          .launch = f.launch,
          .block = f.block,
          .warp = f.warp,
          .lane = f.lane,
          .step = f.step};
}

Problem of_finding(const Summary& summary, const FindingInfo& f, int index) {
  const auto* words = std::ranges::find(rule_words, f.rule, &RuleWords::rule);
  const bool known = words != rule_words.end();
  const Assumptions assumed = rests_on(summary, f);
  Problem p{.kind = known ? words->kind : Kind::finding,
            .severity = f.expected ? Severity::note : f.severity,
            .expected = f.expected,
            .assumed = !assumed.empty(),
            .title = known ? std::string(words->title) : f.rule,
            .message = condition_words(assumed) + f.message,
            .remedy = f.remedy,
            .saving = f.saving,
            .saved = f.saved,
            .rule = f.rule,
            .line = f.line,
            .column = f.column,
            .parties = f.parties,
            .launch = f.launch,
            .block = f.block,
            .warp = f.warp,
            .step = f.step,
            .finding = index};
  return p;
}

/// The finding of the review about the same claim; nullptr: there was no review.
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
            .message = differs ? r.difference : r.reason.words(),
            .rule = differs ? "claim-differs" : "claim-unchecked",
            .line = c.claim.first_line,
            .claim = index};
  if (p.expected) p.severity = Severity::note;
  if (!differs) return p;
  if (p.message.empty()) p.message = "the actual assignment is another one";
  const Assumptions assumed = rests_on(summary, c);
  p.assumed = !assumed.empty();
  p.message = condition_words(assumed) + p.message;
  if (const std::string blame = claims::blame_words(r); !blame.empty())
    p.message += "; " + summary.lines.sentence(blame);
  for (const std::string& remark : claims::remarks_on(c.claim, r)) p.message += "; " + summary.lines.sentence(remark);
  p.remedy = r.others_hold > 0 ? "correct the comment" : "correct the comment, or the code that it describes";
  p.parties.push_back({.does = "stated: " + source::stated_words(c.claim), .line = c.claim.first_line});
  Party actual{.does = "actual: " + (r.actual ? layout::print_line(*r.actual) : r.actual_words),
               .line = r.others_hold > 0 ? 0 : r.first_false_line,
               .step = c.step};
  if (r.first_failure) {
    p.block = actual.block = r.first_failure->block;
    p.warp = actual.warp = static_cast<int>(r.first_failure->warp);
    p.step = c.step, p.launch = c.launch;
  }
  p.parties.push_back(std::move(actual));
  return p;
}

bool is_claim_rule(std::string_view rule) { return rule == "claim-differs" || rule == "claim-unchecked"; }

void worst_first(std::vector<Problem>& problems) {
  std::ranges::stable_sort(problems, {}, [](const Problem& p) {
    return std::tuple(p.severity, p.expected, p.assumed, p.kind, ~p.saved, p.line);
  });
}

}  // namespace

std::vector<Problem> problems_of(const Summary& summary) {
  std::vector<Problem> problems;
  for (const FaultInfo& f : summary.faults) problems.push_back(of_fault(f));
  for (const Diagnostic& d : summary.diagnostics) {
    const bool fault = std::ranges::any_of(summary.faults, [&](const FaultInfo& f) {
      return d.code == DiagnosticCode::fault && f.line == summary.lines.unit_line(d.file, d.line);
    });
    if (!fault) problems.push_back(of_diagnostic(d, summary.lines, summary.ok ? "result" : "does not run"));
  }
  for (std::size_t i = 0; i < summary.claims.size(); ++i)
    if (summary.claims[i].result.verdict != claims::Verdict::holds)
      problems.push_back(of_claim(summary, summary.claims[i], static_cast<int>(i)));
  for (std::size_t i = 0; i < summary.findings.size(); ++i) {
    const FindingInfo& f = summary.findings[i];
    // Without a run's verdicts only the review reports claims.
    if (!is_claim_rule(f.rule) || summary.claims.empty())
      problems.push_back(of_finding(summary, f, static_cast<int>(i)));
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

bool elsewhere(const Summary& summary, int launch, std::int64_t block) {
  if (block < 0) return false;
  return block != static_cast<std::int64_t>(summary.recorded_block) ||
         (launch >= 0 && launch != summary.recorded_launch);
}

namespace {

int launch_of(const Problem& problem, const Party& party) { return party.launch >= 0 ? party.launch : problem.launch; }

/// Of a finding: whether its access is one to shared memory.
bool in_shared(const Summary& summary, const Problem& p) {
  return p.finding >= 0 && static_cast<std::size_t>(p.finding) < summary.findings.size() &&
         summary.findings[static_cast<std::size_t>(p.finding)].shared;
}

}  // namespace

const Problem* problem_of_access(const std::vector<Problem>& problems, const Summary& summary, int line,
                                 trace::MemorySpace space) {
  const auto at = std::ranges::find_if(problems, [&](const Problem& p) {
    const bool lanes = p.rule == "warp-sync-missing";
    const bool global = p.rule == "write-overlap" || p.rule == "global-unordered" || p.rule == "stream-order" ||
                        (lanes && !in_shared(summary, p));
    const bool shared = p.rule == "barrier-missing" || (lanes && in_shared(summary, p));
    if (p.severity != Severity::error || line <= 0 || !(space == trace::MemorySpace::shared ? shared : global))
      return false;
    return std::ranges::any_of(p.parties, [&](const Party& side) {
      const int launch = launch_of(p, side);
      return side.line == line && (launch < 0 || launch == summary.recorded_launch);
    });
  });
  return at == problems.end() ? nullptr : &*at;
}

Across conflict_across(const Problem& problem) {
  Across across;
  if (problem.parties.empty()) return across;
  const Party& first = problem.parties.front();
  for (const Party& p : problem.parties) {
    across.lines = across.lines || p.line != first.line;
    if (p.block < 0 || first.block < 0) continue;
    across.blocks = across.blocks || p.block != first.block;
    across.launches = across.launches || launch_of(problem, p) != launch_of(problem, first);
  }
  return across;
}

std::string parties_words(const Problem& problem) {
  std::string words = problem.title;
  if (!words.empty() && words[0] >= 'a' && words[0] <= 'z') words[0] = static_cast<char>(words[0] - 'a' + 'A');
  const Across across = conflict_across(problem);
  for (const Party& p : problem.parties) {
    words += &p == &problem.parties.front() ? ": " : ", ";
    // Numbers of blocks are those of a launch.
    const std::string launch = across.launches ? "launch " + std::to_string(launch_of(problem, p) + 1) : "";
    const std::int64_t block = across.blocks || across.launches ? p.block : -1;
    if (across.lines) {
      const std::string where = place_words(block, -1, -1);
      words += "line " + std::to_string(p.line) + (where.empty() ? "" : " in " + where);
      if (!launch.empty()) words += (where.empty() ? " in " : " of ") + launch;
    } else {
      words += launch + (launch.empty() ? "" : ", ") + place_words(block, p.warp, p.lane);
    }
    words += " " + p.does;
  }
  return words;
}

std::string fault_words(const FaultInfo& fault) {
  if (fault.parties.size() < 2) return fault.kind + ": " + fault.message;
  std::string words = fault.kind + ":";
  for (const Party& p : fault.parties) {
    const std::string who = place_words(-1, -1, p.lane);
    words += (&p == &fault.parties.front() ? " " : "; ") + who + (who.empty() ? "" : " ") + p.does;
  }
  return words;
}

const FaultInfo* fault_at(const Summary& summary, std::int64_t step) {
  const auto at = std::ranges::find(summary.faults, step, &FaultInfo::step);
  return step < 0 || at == summary.faults.end() ? nullptr : &*at;
}

ProblemCounts count(const std::vector<Problem>& problems) {
  ProblemCounts counts;
  for (const Problem& p : problems) {
    if (p.severity == Severity::error) ++(p.assumed ? counts.assumed : counts.errors);
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

namespace {

constexpr std::size_t most_named = 3;

/// Rules about the text or the compiled code: any launch has what they find.
constexpr std::array<std::string_view, 11> code_rules = {
    "assumed-convergence",       "bad-comment",       "claim-typo",     "claim-unchecked", "double-precision",
    "missing-launch-bounds",     "shared-misaligned", "shared-removed", "spills",          "pointer-offset-unchecked",
    "pointer-offset-uncommented"};

Assumptions named(const Summary& summary, const std::set<int>& indices) {
  Assumptions out;
  for (const int i : indices)
    if (i >= 0 && static_cast<std::size_t>(i) < summary.assumed.size())
      out.push_back(summary.assumed[static_cast<std::size_t>(i)]);
  return out;
}

const Rests* rests_in(const Summary& summary, int launch) {
  const bool known = launch >= 0 && static_cast<std::size_t>(launch) < summary.launches.size();
  return known ? &summary.launches[static_cast<std::size_t>(launch)].rests : nullptr;
}

}  // namespace

Assumptions fault_rests_on(const Summary& summary, int launch, std::optional<std::string_view> array) {
  const Rests* rests = rests_in(summary, launch);
  if (rests == nullptr) return {};
  std::set<int> all(rests->steps.begin(), rests->steps.end());
  for (const int i : rests->bounds) {
    const source::Assumption& a = summary.assumed[static_cast<std::size_t>(i)];
    if (array && *array == a.name) all.insert(i);  // that of shared memory has none
  }
  return named(summary, all);
}

Assumptions rests_on(const Summary& summary, std::string_view rule, std::set<int> launches) {
  if (std::ranges::find(code_rules, rule) != code_rules.end()) return {};
  if (rule == "call-fails" || rule == "wrong-memory") {  // no launch decides it
    std::set<int> all;
    for (int i = 0; i < static_cast<int>(summary.assumed.size()); ++i)
      if (summary.assumed[static_cast<std::size_t>(i)].code == source::Assumption::Code::command_line) all.insert(i);
    return named(summary, all);
  }
  std::erase_if(launches, [&](int l) { return rests_in(summary, l) == nullptr; });
  if (launches.empty())
    for (int l = 0; l < static_cast<int>(summary.launches.size()); ++l) launches.insert(l);
  std::set<int> all;
  for (const int l : launches) {
    const Rests& rests = *rests_in(summary, l);
    all.insert(rests.steps.begin(), rests.steps.end());
    if (rule == "pointer-offset-differs") all.insert(rests.bounds.begin(), rests.bounds.end());
  }
  return named(summary, all);
}

Assumptions rests_on(const Summary& summary, const FindingInfo& finding) {
  std::set<int> launches{finding.launch};
  for (const Party& p : finding.parties) launches.insert(p.launch);
  return rests_on(summary, finding.rule, std::move(launches));
}

Assumptions rests_on(const Summary& summary, const ClaimInfo& claim) {
  const Rests* rests = rests_in(summary, claim.launch);
  if (rests == nullptr) return {};
  std::set<int> all(rests->elements.begin(), rests->elements.end());
  if (claim.result.for_this_input)
    for (const int i : rests->steps)
      if (group_of(summary.assumed[static_cast<std::size_t>(i)].code) == source::Assumption::Group::contents)
        all.insert(i);
  return named(summary, all);
}

Assumptions silence_rests_on(const Summary& summary) {
  std::set<int> all;
  for (const LaunchInfo& l : summary.launches)
    for (const std::vector<int>* each : {&l.rests.steps, &l.rests.bounds, &l.rests.others})
      all.insert(each->begin(), each->end());
  Assumptions out = named(summary, all);
  // An array that a claim is about has the elements that it names: nothing else would be known of most exercises.
  std::erase_if(out, [](const source::Assumption& a) { return a.code == source::Assumption::Code::claimed_size; });
  return out;
}

Assumptions anything_rests_on(const Summary& summary) {
  Assumptions out = silence_rests_on(summary);
  for (const LaunchInfo& l : summary.launches)
    for (const source::Assumption& a : named(summary, {l.rests.elements.begin(), l.rests.elements.end()}))
      if (std::ranges::find(out, a) == out.end()) out.push_back(a);
  return out;
}

std::vector<std::string> sentences_of(const Summary& summary) {
  std::vector<std::string> out;
  for (const std::string& s : source::sentences_of(summary.assumed)) out.push_back("Assumed: " + s);
  out.insert(out.end(), summary.inferred.begin(), summary.inferred.end());
  return out;
}

std::string condition_words(const Assumptions& assumed) {
  return assumed.empty() ? "" : "if " + source::list_of(assumed, most_named) + " (assumed): ";
}

}  // namespace lanescope::results
