#include "app/cli/answers/problems.h"

#include <algorithm>
#include <set>
#include <utility>

#include "kernels/base/enum_size.h"
#include "kernels/base/json_fields.h"

namespace lanescope::cli {
namespace {

using nlohmann::json;

json to_json(const emulator::Fault& f, const SourceLines& lines) {
  json out = fields("kind", enum_name(f.kind), "message", f.message, "block", f.where.block, "warp", f.where.warp,
                    "step", f.where.step);
  if (f.lane >= 0) out["lane"] = f.lane;
  if (f.line > 0) put_line(out, lines, f.line);
  if (f.kind == emulator::Fault::Kind::out_of_bounds || f.kind == emulator::Fault::Kind::misaligned)
    out["address"] = f.address;
  return out;
}

json to_json(const Diagnostic& d) {
  json out = fields("severity", severity_name(d.severity), "code", name_of(d.code), "message", d.message);
  put_known(out, "file", d.file, "line", d.line, "column", d.line > 0 ? d.column : 0, "remedy", d.remedy);
  return out;
}

Status wrong_unless(const results::Assumptions& assumed) { return assumed.empty() ? kernel_wrong : not_here; }

}  // namespace

std::string_view severity_name(Severity severity) {
  return severity == Severity::error ? "error" : severity == Severity::warning ? "warning" : "note";
}

json diagnostics_json(const Diagnostics& diagnostics) {
  json out = json::array();
  for (const Diagnostic& d : diagnostics) out.push_back(to_json(d));
  return out;
}

json assumption_json(const source::Assumption& a) {
  json out = fields("code", source::name_of(a.code), "value", a.value, "words", source::short_words(a));
  if (a.launch >= 0) out["launch"] = a.launch;
  put_known(out, "kernel", a.kernel, "name", a.name, "because", a.because);
  return out;
}

void put_assumed(json& object, const std::vector<source::Assumption>& assumed, const char* key) {
  for (const source::Assumption& a : assumed) object[key].push_back(source::short_words(a));
}

json faults_json(const std::vector<emulator::Fault>& faults, const results::Summary& summary) {
  json out = json::array();
  for (const emulator::Fault& f : faults) {
    json one = to_json(f, summary.lines);
    const auto info = std::ranges::find_if(summary.faults, [&](const results::FaultInfo& i) {
      return i.block == f.where.block && i.warp == static_cast<int>(f.where.warp) && i.lane == f.lane &&
             i.line == f.line;
    });
    if (info != summary.faults.end()) put_assumed(one, info->assumed);
    out.push_back(std::move(one));
  }
  return out;
}

void put_line(json& object, const SourceLines& lines, int unit_line, const char* key, const char* file_key) {
  const SourceLines::Place at = lines.place(unit_line);
  object[key] = at.line;
  if (at.file > 0) object[file_key] = lines.files[at.file].path;
}

results::Assumptions rests_on(const results::Summary& summary, const review::Finding& finding) {
  if (finding.rule == "claim-differs" || finding.rule == "claim-unchecked") {
    const auto claim = std::ranges::find_if(
        summary.claims, [&](const results::ClaimInfo& c) { return c.claim.first_line == finding.line; });
    if (claim != summary.claims.end()) return results::rests_on(summary, *claim);
  }
  std::set<int> launches{finding.evidence.launch};
  for (const review::Evidence::Side& side : finding.evidence.sides) launches.insert(side.launch);
  return results::rests_on(summary, finding.rule, std::move(launches));
}

Status status_of(const results::Summary& summary, const results::ClaimInfo& claim) {
  const results::Assumptions assumed = results::rests_on(summary, claim);
  switch (claim.result.verdict) {
    case claims::Verdict::holds:
      return assumed.empty() ? all_good : not_here;
    case claims::Verdict::differs:
      return wrong_unless(assumed);
    case claims::Verdict::unchecked:
      return not_here;
  }
  return not_here;
}

Status status_of(const results::Summary& summary, const results::FindingInfo& finding) {
  return finding.expected ? all_good : wrong_unless(results::rests_on(summary, finding));
}

bool fails(const review::Finding& finding, Severity least) { return !finding.expected && finding.severity <= least; }

Status status_of(const results::Summary& summary, const review::Finding& finding, Severity least) {
  if (finding.rule == "claim-unchecked" && !finding.expected) return not_here;
  return fails(finding, least) ? wrong_unless(rests_on(summary, finding)) : all_good;
}

}  // namespace lanescope::cli
