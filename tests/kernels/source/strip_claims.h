#pragma once
// A kernel without its assignment comments: what `annotate` starts from in tests.

#include <algorithm>
#include <set>
#include <string>
#include <string_view>

#include "kernels/source/source.h"

namespace lanescope::source {

inline std::string strip_claims(const Source& source) {
  std::string out;
  std::size_t start = 0;
  std::set<int> rows;
  for (const Claim& c : source.claims) rows.insert(c.row_lines.begin(), c.row_lines.end());
  for (int line = 1; start < source.text.size(); ++line) {
    const std::size_t stop = std::min(source.text.find('\n', start), source.text.size() - 1);
    std::string_view text = std::string_view(source.text).substr(start, stop + 1 - start);
    start = stop + 1;
    if (!rows.contains(line)) {
      out += text;
      continue;
    }
    // A row shares its line with code, or with the ends of its comment: those stay.
    const std::size_t comment = text.find("//");
    if (const std::size_t code = text.find_first_not_of(" \t"); comment != std::string_view::npos && code < comment)
      out += text.substr(0, comment);
    if (text.find("/*") != std::string_view::npos) out += "/*";
    if (text.find("*/") != std::string_view::npos) out += "*/";
    out += text.ends_with('\n') ? "\n" : "";
  }
  return out;
}

}  // namespace lanescope::source
