#pragma once
// Questions to the author of an unchecked claim, whose answers let it be judged.
//
// Each reason has its question, or none: then no word of the file decides, but the run or the program. Where one line of the
// file may answer it, the question has that line, with the answer that is likely: the variables written last, the order in
// which the claim would hold, the row that the claim lacks. The author may write another one. Whether the claim is judged
// with the line is not known before it is tried.

#include <optional>
#include <string>

#include "kernels/claims/claims.h"

namespace lanescope::claims {

struct Question {
  std::string words;      ///< "Which variable has this assignment?"
  std::string line{};     ///< of the file, with its indentation; empty: no single line decides
  int at = 0;             ///< the line before which it is written,
  bool replaces = false;  ///< or in place of which
  /// With that line, if it was tried.
  Verdict then = Verdict::unchecked;
};

/// nullopt: it is judged, or nothing that the file could say decides.
std::optional<Question> question_on(const source::Source& source, const ClaimResult& result);

/// The text of the file with the question's line.
std::string with_line(std::string_view text, const Question& question);

}  // namespace lanescope::claims
