#include "kernels/base/diagnostic.h"

namespace lanescope {

std::string to_string(const Diagnostic& d) {
  std::string text = d.file;
  if (d.line > 0) text += (text.empty() ? "" : ":") + std::to_string(d.line);
  if (d.line > 0 && d.column > 0) text += ":" + std::to_string(d.column);
  if (!text.empty()) text += ": ";
  if (d.severity == Severity::warning) text += "warning: ";
  if (d.severity == Severity::note) text += "note: ";
  text += d.message;
  if (!d.remedy.empty()) text += "; " + d.remedy;
  return text;
}

}  // namespace lanescope
