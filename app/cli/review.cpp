#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <iterator>
#include <nlohmann/json.hpp>

#include "app/cli/answer.h"
#include "app/cli/problems.h"
#include "app/cli/say.h"
#include "generated/resources.h"
#include "kernels/base/plain_name.h"

namespace lanescope::cli {
namespace {

using nlohmann::json;
using review::Finding;

json evidence_json(const review::Evidence& e) {
  json out = json::object();
  if (e.pc >= 0) out["instruction"] = e.instruction;
  if (e.block >= 0) out["block"] = e.block;
  if (e.warp >= 0) out["warp"] = e.warp;
  if (e.step >= 0) out["step"] = e.step;
  for (const auto& [name, value] : e.numbers) out["numbers"][name] = value;
  if (e.width_bytes == 0) return out;
  out["lanes"] = fmt::format("0x{:08x}", e.lanes);
  out["width"] = e.width_bytes;
  out["buffer"] = e.buffer;
  out["offsets"] = e.addresses;
  return out;
}

json finding_json(const Finding& f) {
  json out = {{"line", f.line}, {"rule", f.rule}, {"severity", severity_name(f.severity)}, {"message", f.message}};
  if (f.expected) out["expected"] = true;
  if (f.column > 0) out["column"] = f.column;
  if (!f.remedy.empty()) out["remedy"] = f.remedy;
  json evidence = evidence_json(f.evidence);
  if (!evidence.empty()) out["evidence"] = std::move(evidence);
  return out;
}

/// What ends a review before its end, as rules beside those of the table: only results reach the people of a code host.
constexpr review::Rule fault_rule{.id = "fault",
                                  .what = "the kernel does what no GPU forgives, or does not end",
                                  .why = "the run stops there, and nothing behind it was looked at",
                                  .remedy = "mend it first",
                                  .severity = Severity::error};
constexpr review::Rule error_rule{
    .id = "error",
    .what = "the file, its launch header or its code is wrong, or a result is not as expected",
    .why = "what cannot be read or run cannot be reviewed",
    .remedy = "mend it first",
    .severity = Severity::error};

json rule_json(const review::Rule& r) {
  return {{"id", r.id},
          {"shortDescription", {{"text", r.what}}},
          {"fullDescription", {{"text", r.why}}},
          {"help", {{"text", r.remedy}}}};
}

json message_json(const std::string& message, const std::string& remedy) {
  return {{"text", remedy.empty() ? message : message + "; " + remedy}};
}

/// `line` 0: the file as a whole.
json locations_json(const std::string& file, int line, int column) {
  json place = {{"artifactLocation", {{"uri", plain_name(file)}}}};
  json region = {{"startLine", std::max(line, 1)}};
  if (line > 0 && column > 0) region["startColumn"] = column;
  place["region"] = std::move(region);
  return json::array({{{"physicalLocation", std::move(place)}}});
}

/// Errors in the reviewed file are results, unless a finding says the same.
bool is_result(const Diagnostic& d, const std::string& file, const std::vector<Finding>& findings) {
  return d.severity == Severity::error && d.file == file &&
         std::ranges::none_of(findings, [&](const Finding& f) { return f.line == d.line && f.message == d.message; });
}

json error_result(const Diagnostic& d, const std::vector<emulator::Fault>& faults) {
  const bool fault =
      std::ranges::any_of(faults, [&](const emulator::Fault& f) { return f.line == d.line && f.message == d.message; });
  return {{"ruleId", fault ? fault_rule.id : error_rule.id},
          {"level", "error"},
          {"message", message_json(d.message, d.remedy)},
          {"locations", locations_json(d.file, d.line, d.column)}};
}

json finding_result(const Finding& f, const std::string& file) {
  json result = {{"ruleId", f.rule},
                 {"level", severity_name(f.severity)},
                 {"message", message_json(f.message, f.remedy)},
                 {"locations", locations_json(file, f.line, f.column)}};
  if (f.expected) result["suppressions"] = json::array({{{"kind", "inSource"}}});
  return result;
}

json notification(const Diagnostic& d) {
  json out = {{"level", severity_name(d.severity)}, {"message", message_json(d.message, d.remedy)}};
  if (!d.file.empty()) out["locations"] = locations_json(d.file, d.line, d.column);
  return out;
}

/// SARIF 2.1.0: what code hosts and editors read. Findings and errors in the file are results; warnings, notes and what
/// went wrong outside of the file are notifications of the run of this program.
json sarif(const std::string& file, const std::vector<Finding>& findings, const std::vector<emulator::Fault>& faults,
           const Answer& answer) {
  json rules = json::array({rule_json(fault_rule), rule_json(error_rule)});
  for (const review::Rule& r : review::rules()) rules.push_back(rule_json(r));
  json results = json::array(), notifications = json::array();
  for (const Finding& f : findings) results.push_back(finding_result(f, file));
  for (const Diagnostic& d : answer.diagnostics)
    if (is_result(d, file, findings))
      results.push_back(error_result(d, faults));
    else
      notifications.push_back(notification(d));
  json invocation = {{"executionSuccessful", answer.status == all_good || answer.status == kernel_wrong},
                     {"exitCode", static_cast<int>(answer.status)},
                     {"toolExecutionNotifications", std::move(notifications)}};
  json driver = {{"name", "lanescope"}, {"version", std::string(resources::version)}, {"rules", std::move(rules)}};
  json run = {{"tool", {{"driver", std::move(driver)}}},
              {"results", std::move(results)},
              {"invocations", json::array({std::move(invocation)})}};
  return {{"version", "2.1.0"}, {"runs", json::array({std::move(run)})}};
}

void print(std::string& text, const Finding& f, const std::string& file) {
  text += fmt::format("{}\n", review::to_string(f, file));
  const review::Evidence& e = f.evidence;
  if (e.width_bytes == 0 || e.block < 0) return;
  text += fmt::format("    evidence: block {}, warp {}: {} of 32 lanes, {} byte{} each, {}\n", e.block, e.warp,
                      std::popcount(e.lanes), e.width_bytes, e.width_bytes == 1 ? "" : "s", e.buffer);
}

}  // namespace

namespace {

std::vector<Finding> findings_of(const engine::RunResult& result) {
  if (!result.summary.ok && result.findings.empty()) return review::review_of(result.summary.diagnostics);
  return result.findings;
}

std::string counted(std::ptrdiff_t count, std::string_view what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

std::string to_text(const engine::RunResult& result, const std::vector<Finding>& findings, const std::string& file) {
  std::string text;
  for (const Finding& f : findings) print(text, f, file);
  const auto wrong = std::count_if(findings.begin(), findings.end(), review::is_wrong);
  const auto expected = std::count_if(findings.begin(), findings.end(), [](const Finding& f) { return f.expected; });
  const auto notes = static_cast<std::ptrdiff_t>(findings.size()) - wrong - expected;
  if (!result.faults.empty()) {
    text += "the kernel does not run to its end: only what runs before was looked at\n";
    text += counted(std::ssize(result.faults), "fault") + ", ";
  }
  text += fmt::format("{}, {}", counted(wrong, "finding"), counted(notes, "note"));
  text += fmt::format("{}\n", expected > 0 ? fmt::format(", {} expected", expected) : "");
  return text;
}

Answer answer_of(const engine::RunResult& result, const std::vector<Finding>& findings, const std::string& file) {
  Answer answer{.status = status_of(result.ending), .diagnostics = result.summary.diagnostics};
  for (const Finding& f : findings)
    if (review::is_wrong(f)) answer.status = worse(answer.status, kernel_wrong);
  answer.json["findings"] = json::array();
  for (const Finding& f : findings) answer.json["findings"].push_back(finding_json(f));
  answer.json["faults"] = faults_json(result.faults);
  if (result.summary.ok || !findings.empty()) answer.text = to_text(result, findings, file);
  return answer;
}

engine::RunResult reviewed(engine::Engine& engine, engine::RunRequest request) {
  request.review = true;
  return engine.run(request);
}

}  // namespace

Answer review_answer(engine::Engine& engine, const engine::RunRequest& request) {
  const engine::RunResult result = reviewed(engine, request);
  return answer_of(result, findings_of(result), request.file);
}

int review_kernel(const ReviewOptions& options) {
  const Opened opened = open(options);
  Answer answer = refused_answer(opened, options.file);
  std::vector<Finding> findings;
  engine::RunResult result;
  if (!opened.refused) {
    const auto engine = engine_for(options);
    result = reviewed(*engine, opened.request);
    findings = findings_of(result);
    answer = answer_of(result, findings, options.file);
  }
  if (!options.sarif) return print(answer, options.json);
  report(answer.diagnostics);
  say(sarif(options.file, findings, result.faults, answer));
  return answer.status;
}

}  // namespace lanescope::cli
