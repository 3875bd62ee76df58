#pragma once
// The scope of a comment on shares of work: a function, its launch, the names that have values there, and the
// statements.

#include <map>
#include <utility>

#include "kernels/source/cxx/comments.h"
#include "kernels/source/cxx/outline.h"
#include "kernels/source/model/memory_claim.h"
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

}  // namespace lanescope::source
