#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <iterator>

#include "app/cli/answers/problems.h"
#include "app/cli/answers/report.h"
#include "app/cli/commands/commands.h"
#include "kernels/base/enum_size.h"
#include "kernels/base/json_fields.h"
#include "profiling/review/review.h"

namespace lanescope::cli {
namespace {

using nlohmann::json;
using review::Finding;

json evidence_json(const review::Evidence& e, const SourceLines& lines) {
  json out = json::object();
  if (e.pc >= 0) out["instruction"] = e.instruction;
  if (e.block >= 0) out["block"] = e.block;
  if (e.warp >= 0) out["warp"] = e.warp;
  if (e.step >= 0) out["step"] = e.step;
  for (const auto& [name, value] : e.numbers) out["numbers"][name] = value;
  for (const access::ThreadAccess& row : e.interleaving)
    out["interleaving"].push_back(fields("step", row.step, "block", row.block, "warp", row.warp, "lane", row.lane,
                                         "line", lines.place(row.line).line, "does", enum_name(row.does), "value",
                                         fmt::format("0x{:08x}", row.value)));
  if (e.width_bytes == 0) return out;
  put_fields(out, "lanes", fmt::format("0x{:08x}", e.lanes), "width", e.width_bytes, "buffer", e.buffer, "offsets",
             e.addresses);
  return out;
}

json finding_json(const Finding& f, const results::Summary& summary) {
  const SourceLines& lines = summary.lines;
  json out = fields("rule", f.rule, "severity", severity_name(f.severity), "message", f.message);
  put_line(out, lines, f.line);
  put_known(out, "expected", f.expected, "column", f.column);
  for (const int line : f.called_at) out["called_at"].push_back(lines.place(line).line);
  put_known(out, "remedy", f.remedy);
  json evidence = evidence_json(f.evidence, lines);
  if (!evidence.empty()) out["evidence"] = std::move(evidence);
  put_assumed(out, rests_on(summary, f));
  return out;
}

/// One column for each of the two threads, one row for each access, in the order of this run.
void print_interleaving(std::string& text, const review::Evidence& e, const SourceLines& lines) {
  if (e.interleaving.size() < 2) return;
  const auto name = [](const access::ThreadAccess& r) {
    return fmt::format("block {}, warp {}, lane {}", r.block, r.warp, r.lane);
  };
  const access::ThreadAccess& first = e.interleaving.front();
  const auto is_first = [&](const access::ThreadAccess& r) {
    return r.block == first.block && r.warp == first.warp && r.lane == first.lane;
  };
  const auto other = std::ranges::find_if_not(e.interleaving, is_first);
  if (other == e.interleaving.end()) return;
  text += fmt::format("    {:<10}{:<34}{}\n", "step", name(first), name(*other));
  for (const access::ThreadAccess& r : e.interleaving)
    text += fmt::format("    {:<10}{:<{}}{} 0x{:08x} in line {}\n", r.step, "", is_first(r) ? 0 : 34, enum_name(r.does),
                        r.value, lines.place(r.line).line);
}

void print(std::string& text, const Finding& finding, const std::string& file, const results::Summary& summary) {
  const SourceLines& lines = summary.lines;
  const SourceLines::Place at = lines.place(finding.line);
  Finding f = finding;
  f.line = at.line;
  f.message = results::condition_words(rests_on(summary, finding)) + f.message;
  text += fmt::format("{}\n", review::to_string(f, at.file > 0 ? lines.files[at.file].path : file));
  const review::Evidence& e = f.evidence;
  if (e.width_bytes == 0 || e.block < 0) return;
  text += fmt::format("    evidence: block {}, warp {}: {} of 32 lanes, {} byte{} each, {}\n", e.block, e.warp,
                      std::popcount(e.lanes), e.width_bytes, e.width_bytes == 1 ? "" : "s", e.buffer);
  print_interleaving(text, e, lines);
}

/// A finding that makes the status 1.
bool fails(const Finding& f, Severity least) { return !f.expected && f.severity <= least; }

std::vector<Finding> findings_of(const engine::RunResult& result) {
  if (!result.summary.ok && result.findings.empty())
    return review::review_of(result.summary.diagnostics, result.summary.lines);
  return result.findings;
}

std::string count_of(std::ptrdiff_t count, std::string_view what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

/// Kernels that the host code launches, of which no launch ran. Of a kernel that was asked for, others are of no interest.
std::vector<std::string> kernels_not_run(const engine::RunResult& result, bool one_asked) {
  const results::Summary& s = result.summary;
  std::vector<std::string> out;
  if (one_asked || !s.ok) return out;
  std::size_t ran = s.launches.size();  // a fault ends the run
  for (const results::FaultInfo& f : s.faults)
    if (f.launch >= 0) ran = std::min(ran, static_cast<std::size_t>(f.launch) + 1);
  for (const source::KernelInstance& k : s.instances) {
    const bool did = std::any_of(s.launches.begin(), s.launches.begin() + static_cast<std::ptrdiff_t>(ran),
                                 [&](const results::LaunchInfo& l) { return l.kernel == k.kernel; });
    if (k.launches > 0 && k.certain && !(k.chosen && did)) out.push_back(k.kernel);
  }
  return out;
}

std::string to_text(const engine::RunResult& result, const std::vector<Finding>& findings, const std::string& file,
                    const std::vector<std::string>& not_run) {
  std::string text = remarks_of(result.summary, results::anything_rests_on(result.summary));
  for (const Finding& f : findings) print(text, f, file, result.summary);
  const auto wrong = std::count_if(findings.begin(), findings.end(), review::is_wrong);
  const auto expected = std::count_if(findings.begin(), findings.end(), [](const Finding& f) { return f.expected; });
  const auto notes = static_cast<std::ptrdiff_t>(findings.size()) - wrong - expected;
  if (!not_run.empty())
    text += fmt::format("not reviewed: {}: no launch of {} runs here; --kernel NAME chooses one\n",
                        fmt::join(not_run, ", "), not_run.size() == 1 ? "it" : "them");
  if (!result.faults.empty()) {
    text += "the kernel does not run to its end: only the part before was reviewed\n";
    text += count_of(std::ssize(result.faults), "fault") + ", ";
  }
  text += fmt::format("{}, {}", count_of(wrong, "finding"), count_of(notes, "note"));
  text += fmt::format("{}\n", expected > 0 ? fmt::format(", {} expected", expected) : "");
  return text;
}

Answer answer_of(const engine::RunResult& result, const std::vector<Finding>& findings, const std::string& file,
                 Severity fail_on, bool one_kernel) {
  Answer answer{.status = status_of(result.ending), .diagnostics = result.summary.diagnostics};
  const results::Summary& s = result.summary;
  for (const Finding& f : findings) answer.status = worse(answer.status, status_of(s, f, fail_on));
  const results::Assumptions silence = results::silence_rests_on(s);
  if (s.ok && answer.status == all_good && !silence.empty()) {
    answer.status = not_here;
    answer.reason = {"assumed", fmt::format("{}no problem was found", results::condition_words(silence))};
  }
  const std::vector<std::string> not_run = kernels_not_run(result, one_kernel);
  if (answer.status == all_good && !not_run.empty()) {
    answer.status = not_here;
    answer.reason = {"not-reviewed", fmt::format("no launch of {} runs here", fmt::join(not_run, ", "))};
  }
  const auto wrong = [&](const Finding& f) { return fails(f, fail_on); };
  if (const auto first = std::ranges::find_if(findings, wrong); first != findings.end())
    answer.reason = {first->rule, fmt::format("{}; the first: {}: {}{} [{}]",
                                              count_of(std::ranges::count_if(findings, wrong), "finding"),
                                              s.lines.words(first->line), results::condition_words(rests_on(s, *first)),
                                              first->message, first->rule)};
  answer.details = details_of(result.summary);
  add_run(answer.json, result.summary);
  answer.json["findings"] = json::array();
  for (const Finding& f : findings) answer.json["findings"].push_back(finding_json(f, s));
  if (!not_run.empty()) answer.json["not_run"] = not_run;
  answer.json["faults"] = faults_json(result.faults, result.summary);
  if (result.summary.ok || !findings.empty()) answer.text = to_text(result, findings, file, not_run);
  return answer;
}

engine::RunResult reviewed(engine::Engine& engine, engine::RunRequest& request) {
  request.review = request.only_for_claims = true;
  return run_file(engine, request);
}

}  // namespace

Answer review_answer(engine::Engine& engine, const engine::RunRequest& asked, Severity fail_on) {
  engine::RunRequest request = asked;
  const engine::RunResult result = reviewed(engine, request);
  return answer_of(result, findings_of(result), request.file, fail_on, !request.kernel.empty());
}

namespace {

/// One log for all files.
int review_as_sarif(const ReviewOptions& options) {
  std::vector<std::string> names = {options.file};
  names.insert(names.end(), options.more_files.begin(), options.more_files.end());
  std::vector<ReviewedFile> files;
  Status status = all_good;
  for (const std::string& name : names) {
    ReviewOptions one = options;
    one.file = name;
    Opened opened = open(one);
    ReviewedFile& file = files.emplace_back();
    file = {.file = name, .text = opened.request.text, .answer = refused_answer(opened, name)};
    if (!opened.refused) {
      engine::RunResult result = reviewed(*engine_for(one), opened.request);
      file.file = opened.request.file, file.text = opened.request.text;
      file.findings = findings_of(result);
      file.answer = answer_of(result, file.findings, file.file, options.fail_on, !opened.request.kernel.empty());
      for (Finding& f : file.findings) f.message = results::condition_words(rests_on(result.summary, f)) + f.message;
      file.reviewed = result.summary.ok || file.answer.status == kernel_wrong;
      file.lines = std::move(result.summary.lines), file.header_texts = std::move(result.summary.header_texts);
    }
    report(file.answer.diagnostics);
    status = worse(status, file.answer.status);
  }
  say(sarif(files));
  return status;
}

}  // namespace

int review_kernel(const ReviewOptions& options) {
  if (options.sarif) return review_as_sarif(options);
  const Opened opened = open(options);
  if (opened.refused) return print(refused_answer(opened, options.file), options.json);
  const auto engine = engine_for(options);
  return print(review_answer(*engine, opened.request, options.fail_on), options.json, options.verbose);
}

}  // namespace lanescope::cli
