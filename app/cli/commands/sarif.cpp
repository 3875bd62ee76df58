#include "app/cli/commands/sarif.h"

#include <algorithm>
#include <map>

#include "app/cli/answers/problems.h"
#include "generated/resources.h"
#include "kernels/base/plain_name.h"
#include "kernels/base/text.h"

namespace lanescope::cli {
namespace {

using nlohmann::json;
using review::Finding;

constexpr std::string_view schema = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/os/schemas/sarif-schema-2.1.0.json";

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
          {"help", {{"text", r.remedy}}},
          {"defaultConfiguration", {{"level", severity_name(r.severity)}}}};
}

json message_json(const std::string& message, const std::string& remedy) {
  return {{"text", with_remedy(message, remedy)}};
}

class SarifWriter {
 public:
  explicit SarifWriter(const ReviewedFile& reviewed) : reviewed_(reviewed) {
    texts_.emplace(reviewed.file, split_lines(reviewed.text));
    for (std::size_t k = 0; k < reviewed.header_texts.size() && k + 1 < reviewed.lines.files.size(); ++k)
      texts_.emplace(reviewed.lines.files[k + 1].path, split_lines(reviewed.header_texts[k]));
  }

  json run(const Answer& answer) const {
    json rules = json::array({rule_json(fault_rule), rule_json(error_rule)});
    for (const review::Rule& r : review::rules()) rules.push_back(rule_json(r));
    json results = json::array(), notifications = json::array();
    for (const Finding& f : reviewed_.findings) results.push_back(finding_result(f));
    for (const Diagnostic& d : answer.diagnostics)
      if (is_result(d))
        results.push_back(error_result(d));
      else
        notifications.push_back(notification(d));
    json invocation = {{"executionSuccessful", answer.status == all_good || answer.status == kernel_wrong},
                       {"exitCode", static_cast<int>(answer.status)},
                       {"toolExecutionNotifications", std::move(notifications)}};
    json driver = {{"name", "lanescope"}, {"version", std::string(resources::version)}, {"rules", std::move(rules)}};
    return {{"tool", {{"driver", std::move(driver)}}},
            {"columnKind", "unicodeCodePoints"},
            {"results", std::move(results)},
            {"invocations", json::array({std::move(invocation)})}};
  }

 private:
  /// Of a byte column of a reviewed file; other files are not at hand.
  int characters(const std::string& file, int line, int column) const {
    const auto lines = texts_.find(file);
    if (lines == texts_.end() || line < 1 || static_cast<std::size_t>(line) > lines->second.size()) return column;
    const std::string_view before =
        lines->second[static_cast<std::size_t>(line) - 1].substr(0, static_cast<std::size_t>(column) - 1);
    const auto continues = [](char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; };
    return column - static_cast<int>(std::ranges::count_if(before, continues));
  }

  /// `line` 0: the file as a whole.
  json locations(const std::string& file, int line, int column) const {
    json place = {{"artifactLocation", {{"uri", uri_of(file)}}}};
    json region = {{"startLine", std::max(line, 1)}};
    if (line > 0 && column > 0) region["startColumn"] = characters(file, line, column);
    place["region"] = std::move(region);
    return json::array({{{"physicalLocation", std::move(place)}}});
  }

  /// Errors in the reviewed file are results, unless a finding says the same.
  bool is_result(const Diagnostic& d) const {
    const int line = reviewed_.lines.unit_line(d.file, d.line);
    return d.severity == Severity::error && texts_.contains(d.file) &&
           std::ranges::none_of(reviewed_.findings,
                                [&](const Finding& f) { return f.line == line && f.message == d.message; });
  }

  json error_result(const Diagnostic& d) const {
    const int line = reviewed_.lines.unit_line(d.file, d.line);
    const bool fault = std::ranges::any_of(
        reviewed_.faults, [&](const emulator::Fault& f) { return f.line == line && f.message == d.message; });
    return {{"ruleId", fault ? fault_rule.id : error_rule.id},
            {"level", "error"},
            {"message", message_json(d.message, d.remedy)},
            {"locations", locations(d.file, d.line, d.column)}};
  }

  json finding_result(const Finding& f) const {
    const SourceLines::Place at = reviewed_.lines.place(f.line);
    const std::string& file = at.file > 0 ? reviewed_.lines.files[at.file].path : reviewed_.file;
    json result = {{"ruleId", f.rule},
                   {"level", severity_name(f.severity)},
                   {"message", message_json(f.message, f.remedy)},
                   {"locations", locations(file, at.line, f.column)}};
    if (f.expected) result["suppressions"] = json::array({{{"kind", "inSource"}}});
    return result;
  }

  json notification(const Diagnostic& d) const {
    json out = {{"level", severity_name(d.severity)}, {"message", message_json(d.message, d.remedy)}};
    if (!d.file.empty()) out["locations"] = locations(d.file, d.line, d.column);
    return out;
  }

  const ReviewedFile& reviewed_;
  std::map<std::string, std::vector<std::string_view>> texts_;  ///< lines of each reviewed file
};

}  // namespace

std::string uri_of(std::string_view path) { return (path.starts_with('/') ? "file://" : "") + plain_name(path); }

json sarif(const ReviewedFile& reviewed, const Answer& answer) {
  return {{"$schema", schema}, {"version", "2.1.0"}, {"runs", json::array({SarifWriter(reviewed).run(answer)})}};
}

}  // namespace lanescope::cli
