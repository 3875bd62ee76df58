#pragma once
// Contents of a buffer, element by element in the buffer's own shape: before the launches, after them in the emulator
// and on a GPU, and the first mismatching element.

#include <cstdint>
#include <string>

#include "results/contents.h"
#include "results/journey.h"
#include "results/measured.h"
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

}  // namespace lanescope::views
