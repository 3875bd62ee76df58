#pragma once
// Words of sentences about shares of work (kernels/source/notation/shares/work_comments.h): numbers and products of names, tiles,
// elements, and the words that make a sentence say something else.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/source/model/memory_claim.h"
#include "kernels/source/notation/stated_array.h"

namespace lanescope::source {

/// A word, a number or one other character of a sentence.
struct Piece {
  std::string_view text;
  std::string low;
  std::size_t at = 0;  ///< in the paragraph
};
std::vector<Piece> pieces_of(std::string_view s, std::size_t first, std::size_t end);

/// A condition, a negation, "at a time" and the like among pieces [first, end).
bool has_bad_word(const std::vector<Piece>& words, std::size_t first, std::size_t end);
bool is_tile_word(std::string_view word);
bool is_element_word(std::string_view word);
/// Adjectives before a noun that change nothing.
bool is_filler(std::string_view word);
/// "CUDA thread", "thread block" at piece `k`, which becomes what follows.
std::optional<SubarrayClaim::Owner> owner_at(const std::vector<Piece>& words, std::size_t& k);
std::optional<WorkShare::Verb> work_verb(std::string_view word);
/// "computes", "calculate", "produces": not who writes it.
bool is_computing(std::string_view verb);
/// Whether piece `k` is a plain word that goes on with the noun before it.
bool noun_follows(const std::vector<Piece>& words, std::size_t k);
/// "float4", "bytes"; 0: not a type.
int bytes_of_unit(std::string_view word);
/// Whether a name is one of rows (+1), of columns (-1) or of neither.
int axis_of_name(std::string_view name);

struct Quantity {
  std::vector<std::int64_t> factors;
  std::vector<std::string> names;  ///< as written
  bool by = false;                 ///< "x", "by" or the like between two factors
  bool word = false;               ///< "one", "a"
  std::string problem;             ///< a name without a value
  std::int64_t product() const {
    std::int64_t out = 1;
    for (const std::int64_t f : factors) out *= f;
    return out;
  }
};
/// A number, "TM*TN", "8x8", "BM by BN" from piece `k` on, which becomes what follows; no factors where there is none.
Quantity quantity(const std::vector<Piece>& words, std::size_t& k, const Values& values);

}  // namespace lanescope::source
