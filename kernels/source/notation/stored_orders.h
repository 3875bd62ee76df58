#pragma once
// Sentences about the statements that fill an array of shared memory:
//
//   // A is transposed while being stored          // transpose A while loading it       // ... TRANSPOSED write into shared mem:
//   As[col][row] = v.x;  // transpose A             // row major values of A, and store it in COL major s_a[BK][BM]

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/source/cxx/comments.h"
#include "kernels/source/cxx/outline_data.h"
#include "kernels/source/notation/shared_arrays.h"

namespace lanescope::source {

/// What a comment says about the order in which an array of shared memory is stored.
struct StoredOrder {
  const SharedArray* array = nullptr;
  std::vector<std::string> axes;      ///< slowest first
  std::vector<std::int64_t> extents;  ///< as they are used, two or three
};

class StoredOrders {
 public:
  /// All must outlive this.
  StoredOrders(const Lexed& lexed, const Outline& outline, const Values& values, const std::vector<SharedArray>& arrays)
      : lexed_(lexed), outline_(outline), values_(values), arrays_(arrays) {}
  /// What the comment line in function `f` states; `behind_code`: it stands behind a statement.
  std::optional<StoredOrder> stated(const CommentLine& line, int f, bool behind_code) const;
  /// The first shared array in the statement that the comment is about; nullptr: none.
  const SharedArray* used_by_statement(const CommentLine& line, int f, bool behind_code) const;

 private:
  std::optional<StoredOrder> transposed(const CommentLine& l, int f, bool behind_code) const;
  std::optional<StoredOrder> major(const CommentLine& l, int f) const;
  /// "transpose A while loading it", all of the line.
  const SharedArray* transposed_while(const CommentLine& l, int f) const;
  /// "TRANSPOSED write into shared mem:" before the statement that stores to an array.
  const SharedArray* written_next(const CommentLine& l, int f, std::size_t at) const;
  /// A shared array of the function that is called so, or that holds a part of the parameter of this name.
  const SharedArray* array_of(std::string_view name, int f) const;
  /// The extents of `As[BM * BK]` in the order in which the stores `As[k * BM + m] = ...` use them.
  bool in_stored_order(const SharedArray& a, int f, std::vector<std::int64_t>& extents) const;
  /// The array that the statement on the comment's line stores to: `As[...] = ...`.
  const SharedArray* stored_on(const CommentLine& l, int f) const;
  /// The array that the statement from token `first` on stores to.
  const SharedArray* stored_from(int first, int f) const;
  static bool is_row_of(std::string_view a, std::string_view b);
  /// "transposed ... As[k][m]": an array of the function with axes that have names as axes do.
  const SharedArray* with_axes(const CommentLine& l, int f, std::size_t from, std::vector<std::string>& parts) const;
  static bool is_axis(std::string_view s);
  /// "As is (stored) transposed", "A is transposed while being stored (in shared memory)".
  const SharedArray* transposed_by_sentence(const CommentLine& l, int f, std::size_t at) const;
  /// "a" of As, sA, s_a, smem_A, A_shared, a_tile.
  static std::string core_of(std::string_view name);

  const Lexed& lexed_;
  const Outline& outline_;
  const Values& values_;
  const std::vector<SharedArray>& arrays_;
};

}  // namespace lanescope::source
