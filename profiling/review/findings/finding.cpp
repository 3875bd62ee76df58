#include "profiling/review/findings/finding.h"

#include <fmt/format.h>

namespace lanescope::review {

Finding finding(std::string_view rule, int line, int column, std::string message) {
  const Rule* r = find_rule(rule);
  return {.rule = std::string(rule),
          .line = line,
          .column = column,
          .severity = r->severity,
          .expected = false,
          .message = std::move(message),
          .remedy = std::string(r->remedy)};
}

std::string counted(std::uint64_t n, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", n, n == 1 ? one : many);
}

bool is_wrong(const Finding& finding) { return finding.severity != Severity::note && !finding.expected; }

bool is_race(const Finding& f) {
  const Rule* rule = find_rule(f.rule);
  return f.severity == Severity::error && rule != nullptr && rule->race;
}

std::string to_string(const Finding& f, std::string_view file) {
  // Warnings and notes are called so wherever a diagnostic is; among them, errors are as well.
  const Diagnostic d{.file = std::string(file),
                     .line = f.line,
                     .column = f.column,
                     .message = f.severity == Severity::error ? "error: " + f.message : f.message,
                     .remedy = f.remedy,
                     .severity = f.severity};
  return fmt::format("{} [{}{}]", lanescope::to_string(d), f.rule, f.expected ? ", expected" : "");
}

}  // namespace lanescope::review
