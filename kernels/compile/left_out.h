#pragma once
// What a compile can do without: headers that are nowhere, and declarations that no launched kernel needs. A kernel that
// compiles without them is a kernel all the same; what was left out is said.

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/base/diagnostic.h"
#include "kernels/source/source.h"

namespace lanescope::compile {

class LeftOut {
 public:
  explicit LeftOut(const source::Source& source);

  /// Looks at the errors of one attempt. False when nothing more can be left out; else `text`, `headers` have changed.
  /// `text`: of either variant. `headers`: names of includes that are answered with nothing.
  bool less(const Diagnostics& errors, std::string& text, std::set<std::string>& headers);

  Diagnostics notes() const;  ///< what was left out of a compile that succeeded
  const Diagnostics& missing()
      const;  ///< errors about headers that were left out, for a compile that failed all the same

 private:
  bool leave_header(const Diagnostic& error, std::set<std::string>& headers);
  bool leave_parts(const Diagnostics& errors, std::string& text);

  const source::Source& source_;
  std::vector<bool> needed_;
  std::vector<std::string> why_;  ///< for each part the error for which it went; empty: it is there
  Diagnostics missing_;
  int rounds_ = 0;
};

/// The text with all that stands in lines [first, last] of the user's file blank; macros that are defined there stay.
std::string without_lines(std::string_view text, const std::vector<std::pair<int, int>>& lines);

}  // namespace lanescope::compile
