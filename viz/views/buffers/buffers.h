#pragma once
// Contents of a buffer, element by element in the buffer's own shape: before the launches, after them in the emulator
// and on a GPU, and the first mismatching element.

#include <cstdint>
#include <string>
#include <vector>

#include "results/contents.h"
#include "results/journey.h"
#include "results/measured.h"
#include "viz/views/base/draw.h"
#include "viz/views/base/elements.h"
#include "viz/views/base/selection.h"
#include "viz/views/base/theme.h"

namespace lanescope::views {

struct BuffersOptions {
  float width = 0;
  std::uint64_t most_numbers = 4096;           ///< of more elements, cells are small and have no number
  std::string note{};                          ///< why values of the GPU may be out of date
  std::vector<results::PinnedPlace> pinned{};  ///< where followed elements lie
};
/// The comparison of all buffers, the first access that differs, and the elements of `contents`. Elements of the
/// moment's access are marked. Ids: buffer_element, buffer_row (as Measured::buffers), access_lane.
scene::Scene buffers_view(const Summary&, const Moment&, const Contents&, const Measured&, const Selection&,
                          const BuffersOptions&, const Theme&);
/// Tooltip of an id of that view; empty where nothing is known.
std::string buffers_tooltip(const Summary&, const Contents&, const Measured&, const scene::Id&);
/// The buffer of Summary that a row of the comparison is about; -1: none of that name.
int buffer_of_row(const Summary&, const Measured&, int row);

/// Element n of the range, from 0: GPU and emulator differ there; the launches changed it. False where it is not known.
bool differs(const Contents&, std::uint64_t n);
bool changed(const Contents&, std::uint64_t n);
/// The values of both GPU and emulator are known.
bool compared(const Contents&);
/// The value after the run: the emulator's where it ran, else the GPU's, else the one before; empty beyond the range.
const std::string& value_of(const Contents&, std::uint64_t n);
/// The comparison of the buffer of this name; nullptr: none.
const BufferComparison* comparison_of(const Contents&, const Measured&);
/// "equal", "5 of 1 024 elements differ, first at 17".
std::string comparison_text(const BufferComparison&);
/// The first element in which GPU and emulator differ: of the contents, else of the comparison of that buffer. -1:
/// none.
std::int64_t first_difference(const Contents&, const Measured&);

/// "buffer,element,indices,before,emulated,gpu,different": one row an element of the range; indices "3 17".
std::string buffers_csv(const Summary&, const Contents&);

// A buffer as rows and columns in its own shape: the innermost axis runs across and continues in the next row where
// the width ends. A row never contains parts of two runs of a long innermost axis; of a short one it contains several
// whole runs.
//
//   i:4 j:32 in room for 20    j wrapped at 16       i, j ↓   +0 .. +15      4 x 2 rows
//   i:4 j:8 k:4 in room for 20 runs of k, 4 in a row  i, j ↓   0 1 2 3 | 0 1 2 3 | ...
//   no axes                    a power of two         element ↓

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

// One access of a warp in the emulator above the same access on the GPU, lane by lane.

/// Lanes whose addresses differ, or that are active on one side only.
std::uint32_t differing_lanes(const AccessPair&);

/// The result of a traced launch, below `y`; returns where it ends.
float draw_trace(Scene&, const TraceInfo&, float y, const Theme&);

/// Of an Id::Kind::access_lane.
std::string lane_tooltip(const AccessPair&, const Id&);

}  // namespace lanescope::views
