#pragma once
// The scope of a comment on shares of work: a function, its launch, the names that have values there, and the
// statements.

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "kernels/source/cxx/lexer.h"
#include "kernels/source/cxx/outline.h"
#include "kernels/source/model/claim.h"
#include "kernels/source/notation/phrases.h"
#include "kernels/source/notation/stated_array.h"

namespace lanescope::source {

class WorkScope {
 public:
  WorkScope(const Lexed& lexed, const Outline& outline, const Header& header)
      : lexed_(lexed), outline_(outline), header_(header) {}

  /// The kernel or device function around the comment, or the one that begins right after it.
  const FunctionRange* function_of(const CommentLine& l) const;
  const LaunchSpec* launch_of(const FunctionRange& f) const;
  /// Constants of the function, of the host function around the comment, and of no function.
  const Values& values_in(const FunctionRange& f, const CommentLine& l) const;
  /// The statements of a comment about loads: that on its line, or those after it up to an empty line, the next
  /// comment or the end of its block. Of a device function never more than itself.
  void limit(WorkShare& share, const CommentLine& l, const FunctionRange& f) const;

 private:
  /// The only kernel that this host function launches.
  const FunctionRange* launched_in(const FunctionRange& host) const;
  bool opens_loop(int open) const;
  bool no_loop(int first, int last) const;
  bool within_loop(int i, const FunctionRange& f) const;
  /// A line break inside of brackets ends no paragraph.
  bool inside_brackets(int i, int first) const;
  /// The `{` around token i; -1: none.
  int opener_before(int i) const;

  const Lexed& lexed_;
  const Outline& outline_;
  const Header& header_;
  mutable std::map<std::pair<int, int>, Values> values_;  ///< by function, and by the one around the comment
  mutable std::map<int, const FunctionRange*> launched_;  ///< by host function
};

// Phrases of sentences about shares of work (kernels/source/notation/shares/work_comments.h), and the numbers in them.

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
