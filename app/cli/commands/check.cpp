#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <map>
#include <optional>

#include "app/cli/answers/problems.h"
#include "app/cli/commands/commands.h"
#include "kernels/base/enum_size.h"
#include "kernels/base/json_fields.h"
#include "kernels/base/text.h"
#include "profiling/review/findings/finding.h"
#include "results/printed.h"

namespace lanescope::cli {
namespace {

using claims::Verdict;
using nlohmann::json;
using Clock = std::chrono::steady_clock;

json to_json(const claims::Question& question) {
  json out = fields("words", question.words);
  if (question.line.empty()) return out;
  put_fields(out, "add", question.line, question.replaces ? "in_place_of" : "before_line", question.at, "then",
             claims::to_string(question.then));
  return out;
}

json to_json(const results::ClaimInfo& info, const results::Summary& summary) {
  const SourceLines& lines = summary.lines;
  const claims::ClaimResult& r = info.result;
  json out = fields("kind", enum_name(info.claim.kind()), "variable", info.claim.variable, "stated",
                    source::stated_words(info.claim), "verdict", claims::to_string(r.verdict));
  put_line(out, lines, info.claim.first_line);
  if (r.actual)
    out["actual"] = layout::print_line(*r.actual);
  else if (!r.actual_words.empty())
    out["actual"] = r.actual_words;
  put_known(out, "difference", r.difference);
  if (!r.reason.empty()) out["reason"] = r.reason.words(), out["code"] = r.reason.name();
  if (info.question) out["question"] = to_json(*info.question);
  put_known(out, "read_as", info.claim.read_as, "assumed", info.claim.assumed);
  put_assumed(out, results::rests_on(summary, info), "rests_on");
  put_known(out, "behind_line", r.after_line);
  if (r.first_failure) {
    json& f = out["first_failure"];
    f = fields("block", r.first_failure->block, "warp", r.first_failure->warp, "iteration", r.first_failure->iteration);
    if (r.first_failure->caller_line > 0)
      put_line(f, lines, r.first_failure->caller_line, "caller_line", "caller_file");
    if (r.first_false_line > 0) put_line(f, lines, r.first_false_line);
  }
  if (r.verdict == Verdict::unchecked) return out;
  put_fields(out, "computed", r.computed, "up_to_sums", r.up_to_sums, "for_this_input", r.for_this_input);
  if (r.steered_line > 0) put_line(out, lines, r.steered_line, "steered_line", "steered_file");
  put_fields(out, "instances", r.instances, "places", r.places, "inactive_places", r.inactive_places, "outside_places",
             r.outside_places);
  return out;
}

void print_claim(std::string& text, const results::ClaimInfo& info, const results::Summary& summary) {
  const SourceLines& lines = summary.lines;
  const claims::ClaimResult& r = info.result;
  const std::string condition =
      r.verdict == Verdict::unchecked ? "" : results::condition_words(results::rests_on(summary, info));
  std::string line = fmt::format("{}: {}{} {}", lines.words(info.claim.first_line), condition, info.claim.variable,
                                 claims::verdict_words(r));
  if (r.verdict != Verdict::differs && !r.reason.empty()) line += ": " + r.reason.words();
  if (r.verdict == Verdict::differs && !r.difference.empty()) line += ": " + r.difference;
  if (r.verdict != Verdict::unchecked && r.for_this_input)
    line += r.steered_line > 0
                ? fmt::format(" (for this input: data-dependent control flow at {})", lines.words(r.steered_line))
                : " (for this input)";
  text += fmt::format("{}\n", line);
  for (const std::string& words : info.claim.read_as) text += fmt::format("  read: {}\n", words);
  for (const std::string& remark : claims::remarks_on(info.claim, r)) text += fmt::format("  {}\n", remark);
  if (const auto& question = info.question) {
    text += fmt::format("  question: {}\n", question->words);
    if (!question->line.empty())
      text += fmt::format("  it {} if `{}` stands {} line {}\n", claims::to_string(question->then),
                          trimmed(question->line), question->replaces ? "in place of" : "before", question->at);
  }
  if (r.verdict != Verdict::differs) return;
  text += fmt::format("  stated  {}\n", source::stated_words(info.claim));
  text += fmt::format("  actual  {}\n", r.actual ? layout::print_line(*r.actual) : r.actual_words);
  if (const std::string blame = claims::blame_words(r); !blame.empty())
    text += fmt::format("  {}\n", lines.sentence(blame));
  if (r.first_failure) {
    const claims::Instance& f = *r.first_failure;
    text += fmt::format("  first fails in block {}, warp {}, iteration {}{}\n", f.block, f.warp, f.iteration,
                        f.caller_line > 0 ? fmt::format(", called from {}", lines.words(f.caller_line)) : "");
  }
}

/// Threads with conflicting accesses and nothing that orders them, or are not ordered by a barrier because some do not come to it: a claim
/// that holds then holds by luck.
std::vector<results::FindingInfo> races_of(const results::Summary& summary) {
  std::vector<results::FindingInfo> races;
  for (const results::FindingInfo& f : summary.findings) {
    const review::Rule* rule = review::find_rule(f.rule);
    const bool race = rule != nullptr && (rule->race || rule->id == "write-overlap" || rule->id == "barrier-divergent");
    if (race && f.severity == Severity::error) races.push_back(f);
  }
  return races;
}

/// Values that were never set and are used.
std::vector<results::FindingInfo> undefined_of(const results::Summary& summary) {
  std::vector<results::FindingInfo> undefined;
  for (const results::FindingInfo& f : summary.findings)
    if (results::is_undefined(f)) undefined.push_back(f);
  return undefined;
}

bool any_differs(const results::Summary& summary) {
  return std::any_of(summary.claims.begin(), summary.claims.end(),
                     [](const results::ClaimInfo& c) { return c.result.verdict == Verdict::differs; });
}

std::string finding_words(std::string_view what, const results::FindingInfo& f, const results::Summary& summary) {
  return fmt::format("{} at {}{}: {}{}", what, summary.lines.words(f.line), f.expected ? " (expected)" : "",
                     results::condition_words(results::rests_on(summary, f)), f.message);
}

std::string race_words(const results::FindingInfo& r, const results::Summary& summary) {
  return finding_words(r.rule == "barrier-divergent" ? "divergent barrier" : "race", r, summary);
}

/// Of seeds: launches of all streams run in the order written.
bool depends_on_schedule(const results::FindingInfo& race) { return race.rule != "stream-order"; }

/// Where there is a race and this schedule did not show it, other schedules are tried. Returns the seed that shows it.
std::optional<std::uint64_t> expose_race(engine::Engine& engine, engine::RunRequest request, engine::RunResult& result,
                                         Clock::time_point begun) {
  constexpr int schedules = 8;
  const double limit = request.limit_seconds;
  for (int i = 1; i <= schedules; ++i) {
    ++request.seed;
    const std::chrono::duration<double> taken = Clock::now() - begun;
    if (limit > 0 && (request.limit_seconds = limit - taken.count()) <= 0) break;
    engine::RunResult other = engine.run(request);
    if (!any_differs(other.summary)) continue;
    result = std::move(other);
    return request.seed;
  }
  return {};
}

/// Lines that may answer the questions on unchecked claims are tried. A question whose line does not decide goes.
void try_lines(engine::Engine& engine, engine::RunRequest request, results::Summary& summary, Clock::time_point begun) {
  using Seconds = std::chrono::duration<double>;
  constexpr Seconds long_run(10);
  const Seconds first = Clock::now() - begun;
  const std::size_t most_tries = first < long_run ? 8 : 2;
  std::map<std::string, results::Summary> tried;  // by text
  const double limit = request.limit_seconds;
  request.review = request.plain_run = false;
  const std::string text = request.text;
  for (results::ClaimInfo& info : summary.claims) {
    if (!info.question || info.question->line.empty()) continue;
    claims::Question& question = *info.question;
    request.text = claims::with_line(text, question);
    const auto [at, fresh] = tried.try_emplace(request.text);
    if (fresh) {
      const Seconds taken = Clock::now() - begun;
      if (limit > 0) request.limit_seconds = limit - taken.count();
      const bool late = limit > 0 && request.limit_seconds < 2 * first.count();
      if (tried.size() <= most_tries && !late) at->second = engine.run(request).summary;
    }
    const int line = info.claim.first_line + (!question.replaces && question.at <= info.claim.first_line ? 1 : 0);
    const auto same = std::ranges::find_if(at->second.claims, [&](const results::ClaimInfo& c) {
      return c.claim.first_line == line && c.claim.kind() == info.claim.kind();
    });
    if (same != at->second.claims.end()) question.then = same->result.verdict;
    if (question.then == Verdict::unchecked) info.question.reset();
  }
}

json to_json(const engine::RunResult& result, const std::vector<results::FindingInfo>& races,
             const std::vector<results::FindingInfo>& undefined, const std::optional<std::uint64_t>& telling_seed) {
  const results::Summary& summary = result.summary;
  json claims = json::array();
  for (const results::ClaimInfo& info : summary.claims) claims.push_back(to_json(info, summary));
  json out = fields("claims", std::move(claims));
  add_run(out, summary);
  out["faults"] = faults_json(result.faults, summary);
  const auto add = [&](const char* list, const results::FindingInfo& f) -> json& {
    json& one = out[list].emplace_back(fields("message", f.message));
    put_line(one, summary.lines, f.line);
    put_assumed(one, results::rests_on(summary, f));
    put_known(one, "expected", f.expected);
    return one;
  };
  for (const results::FindingInfo& r : races) add("races", r);
  for (const results::FindingInfo& u : undefined) add("undefined", u)["rule"] = u.rule;
  put_known(out, "seed", telling_seed);
  if (const std::size_t lines = results::printed_line_count(summary); lines > 0) out["printed_lines"] = lines;
  return out;
}

/// Of a status that claims or races gave; empty: something else did.
Cause reason_of(const results::Summary& summary, const std::vector<results::FindingInfo>& races,
                const std::vector<results::FindingInfo>& undefined, int differs, int unchecked) {
  const auto first = [&](Verdict verdict) -> const results::ClaimInfo& {
    return *std::ranges::find_if(summary.claims, [&](const auto& c) { return c.result.verdict == verdict; });
  };
  const auto counted = [&](int count, std::string_view what) {
    return count == 1 ? std::string() : fmt::format("{} claims {}; the first: ", count, what);
  };
  const auto words = [&](const results::ClaimInfo& c, std::string_view what, const std::string& how) {
    return fmt::format("{}: {} {}{}{}", summary.lines.words(c.claim.first_line), c.claim.variable, what,
                       how.empty() ? "" : ": ", how);
  };
  if (differs > 0) {
    const results::ClaimInfo& c = first(Verdict::differs);
    return {"claim-differs", counted(differs, "differ") + words(c, "differs", c.result.difference)};
  }
  const auto unexpected = [](const std::vector<results::FindingInfo>& all) {
    return std::ranges::find(all, false, &results::FindingInfo::expected);
  };
  if (const auto race = unexpected(races); race != races.end()) return {race->rule, race_words(*race, summary)};
  if (const auto u = unexpected(undefined); u != undefined.end())
    return {u->rule, finding_words("undefined value", *u, summary)};
  if (unchecked > 0) {
    const results::ClaimInfo& c = first(Verdict::unchecked);
    return {"claim-unchecked", counted(unchecked, "are unchecked") + words(c, "is unchecked", c.result.reason.words())};
  }
  for (const results::ClaimInfo& c : summary.claims)
    if (const results::Assumptions assumed = results::rests_on(summary, c); !assumed.empty())
      return {"assumed", results::condition_words(assumed) + words(c, "holds", {})};
  return {};
}

}  // namespace

Answer check_answer(engine::Engine& engine, const engine::RunRequest& asked) {
  const auto begun = Clock::now();
  engine::RunRequest request = asked;
  request.review = request.only_for_claims = true;
  engine::RunResult result = run_file(engine, request);
  const std::vector<results::FindingInfo> races = races_of(result.summary);
  std::optional<std::uint64_t> telling_seed;
  if (std::ranges::any_of(races, depends_on_schedule) && !result.summary.claims.empty() &&
      !any_differs(result.summary) && result.summary.coverage.empty())
    telling_seed = expose_race(engine, request, result, begun);
  if (request.file == asked.file) try_lines(engine, request, result.summary, begun);
  const results::Summary& summary = result.summary;
  const std::vector<results::FindingInfo> undefined = undefined_of(summary);
  Answer answer{.status = status_of(result.ending),
                .diagnostics = summary.diagnostics,
                .json = to_json(result, races, undefined, telling_seed)};
  for (const results::FindingInfo& f : summary.findings)  // of the host code: no claim depends on them
    if (!f.expected && (f.rule == "call-fails" || f.rule == "wrong-memory"))
      answer.diagnostics.push_back({.file = request.file,
                                    .line = f.line,
                                    .message = f.message,
                                    .remedy = f.remedy,
                                    .severity = Severity::warning});
  Status& status = answer.status;
  answer.details = details_of(summary);
  if (!summary.ok) return answer;

  std::array<int, 3> counts{};
  for (const results::ClaimInfo& info : summary.claims) ++counts[static_cast<std::size_t>(info.result.verdict)];
  const auto given = static_cast<int>(std::ranges::count_if(
      summary.claims, [](const results::ClaimInfo& info) { return info.result.reason.code == source::Why::input; }));
  const auto [holding, differs, unchecked] = counts;
  const int holds = holding - given;
  for (const results::ClaimInfo& info : summary.claims) status = worse(status, status_of(summary, info));
  for (const auto* found : {&races, &undefined})
    for (const results::FindingInfo& f : *found) status = worse(status, status_of(summary, f));

  answer.reason = reason_of(summary, races, undefined, differs, unchecked);
  if (answer.reason.empty()) answer.reason = reason_of_cut(summary);
  std::string& text = answer.text;
  text += remarks_of(summary, results::anything_rests_on(summary));
  if (const std::size_t lines = results::printed_line_count(summary); lines > 0)
    text += fmt::format("note: the kernel printed {} line{} (`lanescope run` shows {})\n", lines, lines == 1 ? "" : "s",
                        lines == 1 ? "it" : "them");
  for (const results::FindingInfo& r : races) text += race_words(r, summary) + '\n';
  for (const results::FindingInfo& u : undefined) text += finding_words("undefined value", u, summary) + '\n';
  if (telling_seed)
    text += fmt::format("the verdicts are those of the schedule with --seed {}, which shows the race\n", *telling_seed);
  for (const results::ClaimInfo& info : summary.claims) print_claim(text, info, summary);
  text += fmt::format("{} claim{}: {} hold{}, {}{} differ{}, {} unchecked\n", summary.claims.size(),
                      summary.claims.size() == 1 ? "" : "s", holds, holds == 1 ? "s" : "",
                      given > 0 ? fmt::format("{} given, ", given) : "", differs, differs == 1 ? "s" : "", unchecked);
  return answer;
}

int check(const KernelOptions& options) {
  const Opened opened = open(options);
  if (opened.refused) return print(refused_answer(opened, options.file), options.json);
  const auto engine = engine_for(options);
  return print(check_answer(*engine, opened.request), options.json, options.verbose);
}

}  // namespace lanescope::cli
