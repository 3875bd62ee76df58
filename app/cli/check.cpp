#include <fmt/format.h>

#include <array>
#include <nlohmann/json.hpp>

#include "app/cli/commands.h"
#include "app/cli/report.h"

namespace lanescope::cli {
namespace {

using claims::Verdict;
using nlohmann::json;

json to_json(const views::ClaimInfo& info) {
  const claims::ClaimResult& r = info.result;
  json out = {{"line", info.claim.first_line},
              {"variable", info.claim.variable},
              {"stated", layout::print_line(info.claim.stated)},
              {"verdict", claims::to_string(r.verdict)}};
  if (r.actual) out["actual"] = layout::print_line(*r.actual);
  else if (!r.actual_words.empty()) out["actual"] = r.actual_words;
  if (!r.difference.empty()) out["difference"] = r.difference;
  if (!r.reason.empty()) out["reason"] = r.reason;
  if (r.first_failure) {
    json& f = out["first_failure"];
    f = {{"block", r.first_failure->block}, {"warp", r.first_failure->warp}, {"iteration", r.first_failure->iteration}};
    if (r.first_failure->caller_line > 0) f["caller_line"] = r.first_failure->caller_line;
    if (r.first_false_line > 0) f["line"] = r.first_false_line;
  }
  if (r.verdict == Verdict::unchecked) return out;
  out["computed"] = r.computed;
  out["for_this_input"] = r.for_this_input;
  if (r.steered_line > 0) out["steered_line"] = r.steered_line;
  out["instances"] = r.instances;
  out["places"] = r.places;
  out["inactive_places"] = r.inactive_places;
  return out;
}

void print_claim(const views::ClaimInfo& info) {
  const claims::ClaimResult& r = info.result;
  std::string line = fmt::format("line {}: {} {}", info.claim.first_line, info.claim.variable, claims::to_string(r.verdict));
  if (r.verdict == Verdict::unchecked) line += ": " + r.reason;
  if (r.verdict == Verdict::differs && !r.difference.empty()) line += ": " + r.difference;
  if (r.verdict != Verdict::unchecked && r.for_this_input)
    line += r.steered_line > 0 ? fmt::format(" (for this input: data decides at line {})", r.steered_line) : " (for this input)";
  fmt::print("{}\n", line);
  if (r.verdict != Verdict::differs) return;
  fmt::print("  stated  {}\n", layout::print_line(info.claim.stated));
  fmt::print("  really  {}\n", r.actual ? layout::print_line(*r.actual) : r.actual_words);
  if (r.first_false_line > 0) fmt::print("  first made false by line {}\n", r.first_false_line);
  if (r.first_failure) {
    const claims::Instance& f = *r.first_failure;
    fmt::print("  first fails in block {}, warp {}, iteration {}{}\n", f.block, f.warp, f.iteration,
               f.caller_line > 0 ? fmt::format(", called from line {}", f.caller_line) : "");
  }
}

}  // namespace

int check(const KernelOptions& options) {
  auto [request, refused] = open(options);
  if (refused) return *refused;
  engine::Session session;
  const views::Summary& summary = session.run(request);
  report(summary.diagnostics);
  const engine::Ending ending = session.ending();
  Status status = status_of(ending);
  if (!summary.ok) return status;

  std::array<int, 3> counts{};
  for (const views::ClaimInfo& info : summary.claims) ++counts[static_cast<std::size_t>(info.result.verdict)];
  const auto [holds, differs, unchecked] = counts;
  if (differs > 0) status = worse(status, kernel_wrong);
  if (unchecked > 0) status = worse(status, not_here);

  if (options.json) {
    json claims = json::array();
    for (const views::ClaimInfo& info : summary.claims) claims.push_back(to_json(info));
    json out = {{"file", summary.file},   {"kernel", summary.kernel}, {"engine", summary.engine},
                {"arch", summary.arch},   {"compiler", summary.compiler}, {"claims", std::move(claims)}};
    if (!summary.inferred.empty()) out["inferred"] = summary.inferred;
    if (!summary.notices.empty()) out["notices"] = summary.notices;
    fmt::print("{}\n", out.dump(2, ' ', false, json::error_handler_t::replace));
    return status;
  }
  for (const std::string& sentence : summary.inferred) fmt::print("assumed: {}\n", sentence);
  for (const std::string& sentence : summary.notices) fmt::print("note: {}\n", sentence);
  for (const views::ClaimInfo& info : summary.claims) print_claim(info);
  fmt::print("{} claim{}: {} hold{}, {} differ{}, {} unchecked\n", summary.claims.size(), summary.claims.size() == 1 ? "" : "s", holds,
             holds == 1 ? "s" : "", differs, differs == 1 ? "s" : "", unchecked);
  return status;
}

}  // namespace lanescope::cli
