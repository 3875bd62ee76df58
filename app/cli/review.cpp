#include <fmt/format.h>

#include <bit>
#include <nlohmann/json.hpp>

#include "app/cli/commands.h"
#include "app/cli/report.h"
#include "generated/resources.h"

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
  json out = {{"line", f.line},
              {"rule", f.rule},
              {"severity", review::is_wrong(f) ? "warning" : "note"},
              {"message", f.message}};
  if (f.severity == Severity::error) out["severity"] = "error";
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
    results.push_back(
        {{"ruleId", f.rule},
         {"level", f.severity == Severity::error ? "error"
                   : review::is_wrong(f)         ? "warning"
                                                 : "note"},
         {"message", {{"text", f.remedy.empty() ? f.message : f.message + "; " + f.remedy}}},
         {"locations", {{{"physicalLocation", {{"artifactLocation", {{"uri", file}}}, {"region", region}}}}}}});
  }
  return {{"version", "2.1.0"},

          {"runs",
           {{{"tool",
              {{"driver", {{"name", "lanescope"}, {"version", std::string(resources::version)}, {"rules", rules}}}}},
             {"results", results}}}}};
}

void print(const Finding& f, const std::string& file) {
  fmt::print("{}\n", review::to_string(f, file));
  const review::Evidence& e = f.evidence;
  if (e.width_bytes == 0 || e.block < 0) return;
  fmt::print("    seen in block {}, warp {}: {} of 32 lanes, {} byte{} each, {}\n", e.block, e.warp,
             std::popcount(e.lanes), e.width_bytes, e.width_bytes == 1 ? "" : "s", e.buffer);
}

}  // namespace

int review_kernel(const ReviewOptions& options) {
  auto [request, refused] = open(options);
  if (refused) return *refused;
  request.review = true;
  engine::Session session;
  const views::Summary& summary = session.run(request);
  std::vector<Finding> findings = session.findings();
  if (!summary.ok && findings.empty()) findings = review::review_of(summary.diagnostics);
  report(summary.diagnostics);
  Status status = status_of(session.ending());
  for (const Finding& f : findings)
    if (review::is_wrong(f)) status = worse(status, kernel_wrong);

  if (options.sarif || options.json) {
    json out = json::object();
    if (options.sarif) {
      out = sarif(options.file, findings);
    } else {
      out["findings"] = json::array();
      for (const Finding& f : findings) out["findings"].push_back(finding_json(f));
    }
    fmt::print("{}\n", out.dump(2, ' ', false, json::error_handler_t::replace));
    return status;
  }
  if (!summary.ok && findings.empty()) return status;
  for (const Finding& f : findings) print(f, options.file);
  const auto wrong = std::count_if(findings.begin(), findings.end(), review::is_wrong);
  fmt::print("{} finding{}, {} note{}\n", wrong, wrong == 1 ? "" : "s", findings.size() - wrong,
             findings.size() - wrong == 1 ? "" : "s");
  return status;
}

}  // namespace lanescope::cli
