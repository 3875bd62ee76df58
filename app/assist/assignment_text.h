#pragma once
// Assignment comments written into a text.

#include <string>
#include <string_view>

#include "kernels/layout/assignment.h"
#include "kernels/source/model/claim.h"

namespace lanescope::assist {

/// The text with the rows of a claim, on its lines in this text, replaced by those of `actual`, each behind what stood
/// before the first row.
std::string with_true_rows(std::string_view text, const source::Claim& claim, const layout::Assignment& actual);

/// The line (from 1) on which the statement that begins on `line` ends, at most 20 lines further; `line` where it begins
/// none.
int end_of_statement(std::string_view text, int line);

/// The text with an assignment comment of `name` behind the statement that begins on `line` (from 1).
std::string with_comment(std::string_view text, int line, const std::string& name, const layout::Assignment& actual);

}  // namespace lanescope::assist
