#include <fmt/format.h>

#include <bit>
#include <nlohmann/json.hpp>

#include "app/cli/answer.h"
#include "app/cli/report.h"
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

const char* severity_of(const Finding& f) {
  return f.severity == Severity::error ? "error" : f.severity == Severity::warning ? "warning" : "note";
}

json finding_json(const Finding& f) {
  json out = {{"line", f.line}, {"rule", f.rule}, {"severity", severity_of(f)}, {"message", f.message}};
  if (f.expected) out["expected"] = true;
  if (f.column > 0) out["column"] = f.column;
  if (!f.remedy.empty()) out["remedy"] = f.remedy;
  json evidence = evidence_json(f.evidence);
  if (!evidence.empty()) out["evidence"] = std::move(evidence);
  return out;
}

/// SARIF 2.1.0: what code hosts and editors read.
json sarif(const std::string& file, const std::vector<Finding>& findings) {
  json rules = json::array(), results = json::array();
  for (const review::Rule& r : review::rules())
    rules.push_back({{"id", r.id},
                     {"shortDescription", {{"text", r.what}}},
                     {"fullDescription", {{"text", r.why}}},
                     {"help", {{"text", r.remedy}}}});
  for (const Finding& f : findings) {
    json region = {{"startLine", std::max(f.line, 1)}};
    if (f.column > 0) region["startColumn"] = f.column;
    json result = {{"ruleId", f.rule},
                   {"level", severity_of(f)},
                   {"message", {{"text", f.remedy.empty() ? f.message : f.message + "; " + f.remedy}}},
                   {"locations",
                    {{{"physicalLocation", {{"artifactLocation", {{"uri", plain_name(file)}}}, {"region", region}}}}}}};
    if (f.expected) result["suppressions"] = json::array({{{"kind", "inSource"}}});
    results.push_back(std::move(result));
  }
  return {{"version", "2.1.0"},

          {"runs",
           {{{"tool",
              {{"driver", {{"name", "lanescope"}, {"version", std::string(resources::version)}, {"rules", rules}}}}},
             {"results", results}}}}};
}

void print(std::string& text, const Finding& f, const std::string& file) {
  text += fmt::format("{}\n", review::to_string(f, file));
  const review::Evidence& e = f.evidence;
  if (e.width_bytes == 0 || e.block < 0) return;
  text += fmt::format("    seen in block {}, warp {}: {} of 32 lanes, {} byte{} each, {}\n", e.block, e.warp,
                      std::popcount(e.lanes), e.width_bytes, e.width_bytes == 1 ? "" : "s", e.buffer);
}

}  // namespace

namespace {

std::vector<Finding> findings_of(const engine::RunResult& result) {
  if (!result.summary.ok && result.findings.empty()) return review::review_of(result.summary.diagnostics);
  return result.findings;
}

std::string to_text(const std::vector<Finding>& findings, const std::string& file) {
  std::string text;
  for (const Finding& f : findings) print(text, f, file);
  const auto wrong = std::count_if(findings.begin(), findings.end(), review::is_wrong);
  const auto expected = std::count_if(findings.begin(), findings.end(), [](const Finding& f) { return f.expected; });
  const auto notes = static_cast<std::ptrdiff_t>(findings.size()) - wrong - expected;
  text += fmt::format("{} finding{}, {} note{}", wrong, wrong == 1 ? "" : "s", notes, notes == 1 ? "" : "s");
  text += fmt::format("{}\n", expected > 0 ? fmt::format(", {} expected", expected) : "");
  return text;
}

Answer answer_of(const engine::RunResult& result, const std::vector<Finding>& findings, const std::string& file) {
  Answer answer{.status = status_of(result.ending), .diagnostics = result.summary.diagnostics};
  for (const Finding& f : findings)
    if (review::is_wrong(f)) answer.status = worse(answer.status, kernel_wrong);
  answer.json["findings"] = json::array();
  for (const Finding& f : findings) answer.json["findings"].push_back(finding_json(f));
  if (result.summary.ok || !findings.empty()) answer.text = to_text(findings, file);
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
  auto [request, refused] = open(options);
  if (refused) return *refused;
  const auto engine = engine_for(options);
  const engine::RunResult result = reviewed(*engine, request);
  const std::vector<Finding> findings = findings_of(result);
  Answer answer = answer_of(result, findings, request.file);
  if (options.sarif) answer.json = sarif(options.file, findings);
  return print(answer, options.json || options.sarif);
}

}  // namespace lanescope::cli
