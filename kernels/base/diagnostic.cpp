#include "kernels/base/diagnostic.h"

#include "kernels/base/enum_size.h"

#include "kernels/base/visible.h"

namespace lanescope {

std::string_view name_of(DiagnosticCode code) {
  static constexpr std::string_view names[] = {"input",
                                               "file",
                                               "option-not-used",
                                               "launch-header",
                                               "notation",
                                               "not-a-row",
                                               "misspelt-row",
                                               "compiler",
                                               "launch-in-device-code",
                                               "function-without-body",
                                               "part-of-other-file",
                                               "element-type",
                                               "bits-of-source",
                                               "bits-of-destination",
                                               "expectation-differs",
                                               "stated-step",
                                               "fault"};
  static_assert(names_enumerators<DiagnosticCode>(names, [](std::string_view name) { return name; }));
  return entry_for(names, code);
}

std::string to_string(const Diagnostic& d) {
  std::string text = visible_name(d.file);
  if (d.line > 0) text += (text.empty() ? "" : ":") + std::to_string(d.line);
  if (d.line > 0 && d.column > 0) text += ":" + std::to_string(d.column);
  if (!text.empty()) text += ": ";
  if (d.severity == Severity::warning) text += "warning: ";
  if (d.severity == Severity::note) text += "note: ";
  return text + with_remedy(d.message, d.remedy);
}

std::string with_remedy(const std::string& message, std::string remedy) {
  if (remedy.empty()) return message;
  if (!message.ends_with('?')) return message + "; " + remedy;
  if (remedy[0] >= 'a' && remedy[0] <= 'z') remedy[0] = static_cast<char>(remedy[0] - 'a' + 'A');
  return message + " " + remedy;
}

std::string as_sentence(std::string text) {
  if (!text.empty() && std::string_view(".?!").find(text.back()) == std::string_view::npos) text += '.';
  return text;
}

}  // namespace lanescope
