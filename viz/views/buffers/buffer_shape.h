#pragma once
// A buffer as rows and columns in its own shape: the innermost axis runs across and continues in the next row where
// the width ends. A row never contains parts of two runs of a long innermost axis; of a short one it contains several
// whole runs.
//
//   i:4 j:32 in room for 20    j wrapped at 16       i, j ↓   +0 .. +15      4 x 2 rows
//   i:4 j:8 k:4 in room for 20 runs of k, 4 in a row  i, j ↓   0 1 2 3 | 0 1 2 3 | ...
//   no axes                    a power of two         element ↓

#include <cstdint>
#include <string>
#include <vector>

#include "viz/views/base/elements.h"
#include "viz/views/base/selection.h"

namespace lanescope::views {

class BufferShape {
 public:
  /// `fits`: cells that fit beside each other, at least 1.
  BufferShape(const BufferInfo& buffer, std::uint64_t fits);

  std::uint64_t columns() const { return per_row_; }
  std::uint64_t runs_per_row() const { return rows_per_run_ > 1 ? 1 : per_row_ / run_; }
  std::uint64_t row_of(std::uint64_t element) const;
  std::uint64_t column_of(std::uint64_t element) const;
  std::uint64_t first_of(std::uint64_t row) const;
  /// Whole runs of the innermost axis end before this column.
  std::uint64_t runs_before(std::uint64_t column) const { return rows_per_run_ > 1 ? 0 : column / run_; }
  /// A slower axis than the rows changes here: a new plane, or a new run of an axis that is wrapped.
  bool parts_before(std::uint64_t row) const;

  std::string row_text(std::uint64_t row) const;        ///< "3, 16"; empty where one row is all there is
  std::string column_text(std::uint64_t column) const;  ///< "7" along the axis, "+7" where it is wrapped
  std::string heading() const;                          ///< "i, j ↓  k →"

 private:
  bool wrapped() const { return rows_per_run_ > 1 || inner_ < 0; }

  ElementReader reader_;
  std::vector<int> axes_;  ///< fastest first
  int inner_ = -1;         ///< the axis across; -1: elements are only counted
  std::uint64_t run_ = 1, per_row_ = 1, rows_per_run_ = 1;
};

}  // namespace lanescope::views
