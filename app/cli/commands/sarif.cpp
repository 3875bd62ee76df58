#include "app/cli/commands/commands.h"

#include <algorithm>
#include <filesystem>
#include <map>

#include <fmt/format.h>

#include "app/cli/answers/problems.h"
#include "generated/resources.h"
#include "kernels/base/json_fields.h"
#include "kernels/base/plain_name.h"
#include "kernels/base/text.h"
#include "kernels/resources/resources.h"
#include "kernels/source/data/sha256.h"

namespace lanescope::cli {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using review::Finding;

constexpr std::string_view schema = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/os/schemas/sarif-schema-2.1.0.json";
constexpr const char* root_name = "%SRCROOT%";

/// Causes that end a review early, as rules beside those of the table: only results reach the people of a code host.
constexpr review::Rule fault_rule{
    .id = "fault",
    .what = "the kernel has an access or operation that faults on every GPU, or does not end",
    .why = "the run stops there, and nothing after it was reviewed",
    .remedy = "fix it first",
    .severity = Severity::error};
constexpr review::Rule error_rule{
    .id = "error",
    .what = "the file, its launch header or its code is wrong, or a result is not as expected",
    .why = "a file that cannot be read or run cannot be reviewed",
    .remedy = "fix it first",
    .severity = Severity::error};

/// In the order of `rules` in the log.
std::vector<review::Rule> all_rules() {
  std::vector<review::Rule> all = {fault_rule, error_rule};
  all.insert(all.end(), review::rules().begin(), review::rules().end());
  return all;
}

json rule_json(const review::Rule& r) {
  json out =
      fields("id", r.id, "shortDescription", fields("text", r.what), "fullDescription", fields("text", r.why), "help",
             fields("text", r.remedy), "defaultConfiguration", fields("level", severity_name(r.severity)));
  static const fs::path help = resources::document("review.md");
  std::error_code problem;
  if (fs::is_regular_file(help, problem)) out["helpUri"] = uri_of(fs::absolute(help, problem).string());
  return out;
}

json message_json(const std::string& message, const std::string& remedy) {
  return fields("text", with_remedy(message, remedy));
}

/// The folder that holds the repository of a file; empty: it is in none.
fs::path repository_of(const std::string& file) {
  std::error_code problem;
  for (fs::path folder = fs::absolute(file, problem).lexically_normal().parent_path(); !folder.empty();
       folder = folder.parent_path()) {
    if (fs::exists(folder / ".git", problem)) return folder;
    if (folder == folder.parent_path()) break;
  }
  return {};
}

/// Line by line the texts of a file and of the headers read with it, by path.
using Texts = std::map<std::string, std::vector<std::string_view>>;

Texts texts_of(const ReviewedFile& file) {
  Texts texts;
  texts.emplace(file.file, split_lines(file.text));
  for (std::size_t k = 0; k < file.header_texts.size() && k + 1 < file.lines.files.size(); ++k)
    texts.emplace(file.lines.files[k + 1].path, split_lines(file.header_texts[k]));
  return texts;
}

class SarifWriter {
 public:
  explicit SarifWriter(std::span<const ReviewedFile> files) {
    for (const ReviewedFile& file : files) {
      if (root_.empty()) root_ = repository_of(file.file);
      add(file);
    }
  }

  json run() && {
    json rules = json::array();
    for (const review::Rule& r : rules_) rules.push_back(rule_json(r));
    json invocation = fields("executionSuccessful", successful_, "exitCode", static_cast<int>(status_),
                             "toolExecutionNotifications", std::move(notifications_));
    json driver = fields("name", "lanescope", "version", std::string(resources::version), "rules", std::move(rules));
    json out = fields("tool", fields("driver", std::move(driver)), "columnKind", "unicodeCodePoints", "results",
                      std::move(results_), "invocations", json::array({std::move(invocation)}));
    if (!assumed_.empty()) out["properties"]["assumed"] = std::move(assumed_);
    if (!root_.empty()) out["originalUriBaseIds"][root_name] = fields("uri", uri_of(root_.string() + "/"));
    return out;
  }

 private:
  void add(const ReviewedFile& file) {
    const Texts texts = texts_of(file);
    const json& said = file.answer.json;
    for (std::size_t i = 0; i < file.findings.size(); ++i) {
      json result = finding_result(file, texts, file.findings[i]);
      put_assumed_of(said, "findings", i, result);
      results_.push_back(std::move(result));
    }
    const json assumed = said.value("assumed", json::object());
    for (const auto& [group, list] : assumed.items())
      for (json entry : list) {
        entry["file"] = artifact(file.file)["uri"];
        assumed_[group].push_back(std::move(entry));
      }
    for (const Diagnostic& d : file.answer.diagnostics) {
      if (is_result(file, texts, d))
        results_.push_back(error_result(file, texts, d));
      else
        notifications_.push_back(notification(texts, d));
    }
    successful_ = successful_ && file.reviewed;
    status_ = worse(status_, file.answer.status);
  }

  static std::string_view line_of(const Texts& texts, const std::string& file, int line) {
    const auto lines = texts.find(file);
    if (lines == texts.end() || line < 1 || static_cast<std::size_t>(line) > lines->second.size()) return {};
    return lines->second[static_cast<std::size_t>(line) - 1];
  }

  /// Of a byte column of a reviewed file; other files are not at hand.
  static int characters(std::string_view line, int column) {
    const std::string_view before = line.substr(0, static_cast<std::size_t>(column) - 1);
    const auto continues = [](char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; };
    return column - static_cast<int>(std::ranges::count_if(before, continues));
  }

  json artifact(const std::string& file) const {
    std::error_code problem;
    const fs::path relative =
        root_.empty() ? fs::path() : fs::absolute(file, problem).lexically_normal().lexically_relative(root_);
    if (relative.empty() || *relative.begin() == "..") return fields("uri", uri_of(file));
    return fields("uri", uri_of(relative.string()), "uriBaseId", root_name);
  }

  /// `line` 0: the file as a whole.
  json locations(const Texts& texts, const std::string& file, int line, int column) const {
    json place = fields("artifactLocation", artifact(file));
    json region = fields("startLine", std::max(line, 1));
    if (line > 0 && column > 0) region["startColumn"] = characters(line_of(texts, file, line), column);
    place["region"] = std::move(region);
    return json::array({{{"physicalLocation", std::move(place)}}});
  }

  /// Errors in the reviewed file are results, unless they are findings, too: review::review_of().
  static bool is_result(const ReviewedFile& file, const Texts& texts, const Diagnostic& d) {
    const bool is_finding = is_notation(d.code) &&
                            std::ranges::count(file.findings, file.lines.unit_line(d.file, d.line), &Finding::line) > 0;
    return d.severity == Severity::error && texts.contains(d.file) && !is_finding;
  }

  struct Said {
    std::string_view rule;
    Severity level = Severity::error;
    std::string message, remedy;
    std::string file;
    int line = 0, column = 0;
  };

  json result_of(const Texts& texts, const Said& s) {
    const auto rule = std::ranges::find(rules_, s.rule, &review::Rule::id);
    json out = fields("ruleId", s.rule, "ruleIndex", rule - rules_.begin(), "level", severity_name(s.level), "message",
                      message_json(s.message, s.remedy), "locations", locations(texts, s.file, s.line, s.column));
    // The same finding keeps its fingerprint where lines above it come and go.
    const std::string what = fmt::format("{}\n{}\n{}", s.rule, artifact(s.file)["uri"].get<std::string>(),
                                         trimmed(line_of(texts, s.file, s.line)));
    const int nth = ++alike_[what];
    out["partialFingerprints"] =
        fields("ruleAndLine/v1", source::sha256(fmt::format("{}\n{}", what, nth)).substr(0, 32));
    return out;
  }

  json error_result(const ReviewedFile& file, const Texts& texts, const Diagnostic& d) {
    const bool of_fault = d.code == DiagnosticCode::fault;
    json result = result_of(texts, {.rule = of_fault ? fault_rule.id : error_rule.id,
                                    .message = d.message,
                                    .remedy = d.remedy,
                                    .file = d.file,
                                    .line = d.line,
                                    .column = d.column});
    const json faults = file.answer.json.value("faults", json::array());
    for (std::size_t i = 0; of_fault && i < faults.size(); ++i)
      if (faults[i].value("line", 0) == d.line && faults[i].value("message", "") == d.message)
        put_assumed_of(file.answer.json, "faults", i, result);
    return result;
  }

  json finding_result(const ReviewedFile& file, const Texts& texts, const Finding& f) {
    const SourceLines::Place at = file.lines.place(f.line);
    json result = result_of(texts, {.rule = f.rule,
                                    .level = f.severity,
                                    .message = f.message,
                                    .remedy = f.remedy,
                                    .file = at.file > 0 ? file.lines.files[at.file].path : file.file,
                                    .line = at.line,
                                    .column = f.column});
    if (f.expected) result["suppressions"] = json::array({{{"kind", "inSource"}}});
    return result;
  }

  /// The assumptions that the JSON of the review names for one of its `findings` or `faults`.
  static void put_assumed_of(const json& answer, const char* list, std::size_t index, json& result) {
    const json& one = answer.at(list).at(index);
    if (one.contains("assumed")) result["properties"]["assumed"] = one["assumed"];
  }

  json notification(const Texts& texts, const Diagnostic& d) const {
    json out = fields("level", severity_name(d.severity), "message", message_json(d.message, d.remedy));
    if (!d.file.empty()) out["locations"] = locations(texts, d.file, d.line, d.column);
    return out;
  }

  const std::vector<review::Rule> rules_ = all_rules();
  fs::path root_;
  json results_ = json::array(), notifications_ = json::array();
  json assumed_ = json::object();     ///< by group, as in the JSON of a review, each with its file
  std::map<std::string, int> alike_;  ///< results with one rule, file and text of a line
  bool successful_ = true;
  Status status_ = all_good;
};

}  // namespace

std::string uri_of(std::string_view path) { return (path.starts_with('/') ? "file://" : "") + plain_name(path); }

json sarif(std::span<const ReviewedFile> files) {
  return fields("$schema", schema, "version", "2.1.0", "runs", json::array({SarifWriter(files).run()}));
}

}  // namespace lanescope::cli
