#include "kernels/base/diagnostic.h"

#include <string_view>

#include "kernels/base/visible.h"

namespace lanescope {

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
