#pragma once
// The variable of an assignment comment that names none: the one written last before it, of those that are visible,
// have a value that comes from data, and have the number of registers of the register row; if its words look forward,
// the one written next.

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "kernels/source/notation/claim_variables.h"

namespace lanescope::source {

/// For every local whether its value comes from memory, from other functions or from asm, by the text: an
/// index made of threadIdx does not. Once per file, in text order.
std::vector<bool> locals_with_data(const Lexed& lexed, const Outline& outline);

struct WrittenLast {
  ClaimNames names;
  int line = 0;  ///< that writes it
};

/// `ready`: whether a name has a value at the claim, all of it. `wanted`: registers, 0 if no row gives them.
std::optional<WrittenLast> written_last(const NamedVariables& variables, int anchor, int wanted,
                                        const std::function<bool(const std::vector<std::string>&)>& ready);

/// The first that is written after the comment, of those that fit, if its words look forward.
std::optional<WrittenLast> written_next(const NamedVariables& variables, int anchor, int wanted);

}  // namespace lanescope::source
