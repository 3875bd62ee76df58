#pragma once
// The second way out of a claim that differs: not the comment is changed but the code, by a conversion in front of it.

#include <optional>
#include <string>
#include <string_view>

#include "results/summary.h"

namespace lanescope::assist {

/// A conversion put into a text.
struct InsertedConversion {
  std::string text;      ///< the whole text afterwards
  std::string function;  ///< its name
  std::string cost;      ///< "2 shuffles, 6 selects"
};

/// The text of the kernel with a function that brings the variable of a claim from its actual assignment to the stated
/// one, and with its call before the comment. nullopt where no claim differs there with a known assignment, where its
/// registers are not single 32-bit words of known names or are written only after the comment, and where elements would
/// have to move between blocks. What is inserted is judged by the next run, as everything in the text is.
std::optional<InsertedConversion> with_conversion(std::string_view text, const results::ClaimInfo& claim,
                                                  const results::Summary& summary);

}  // namespace lanescope::assist
