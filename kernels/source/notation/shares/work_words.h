#pragma once
// Phrases of sentences about shares of work (kernels/source/notation/shares/work_comments.h), and the numbers in them.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/source/notation/phrases.h"
#include "kernels/source/notation/stated_array.h"

namespace lanescope::source {

const Phrases& work_phrases();

/// A condition, a negation, "at a time" and the like among words [first, end).
bool has_bad_word(const Words& words, std::size_t first, std::size_t end);
/// "float4", "bytes"; 0: not a type.
int bytes_of_unit(std::string_view word);
/// Whether a name is one of rows (+1), of columns (-1) or of neither.
int axis_of_name(std::string_view name);

struct Quantity {
  std::vector<std::int64_t> factors{};
  std::vector<std::string> names{};  ///< as written
  bool by = false;                   ///< "x", "by" or the like between two factors
  bool word = false;                 ///< "one", "a"
  std::string problem{};             ///< a name without a value
  std::int64_t product() const {
    std::int64_t out = 1;
    for (const std::int64_t f : factors) out *= f;
    return out;
  }
};
/// A number, "TM*TN", "8x8", "BM by BN", "(TM, TN)" from word `k` on, which is advanced past it; no factors if there is
/// none.
Quantity quantity(const Words& words, std::size_t& k, const Values& values);

/// The clauses of a line in Chinese that are understood as a whole, an English sentence for each; empty: none.
std::string work_in_english(std::string_view line);

}  // namespace lanescope::source
