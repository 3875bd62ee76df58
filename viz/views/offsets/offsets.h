#pragma once
// An offset of a pointer as a picture: the part of the array before it and after it, each a box along the array's axes,
// and how the parts of all blocks (or of a block's warps, of a warp's threads) tile the array.

#include "kernels/source/offsets/pointer_offsets.h"
#include "viz/scene/scene.h"
#include "viz/views/base/theme.h"

namespace lanescope::views {

struct OffsetsOptions {
  float width = 0, height = 0;  ///< height: what there is; 0: as much as it takes
  source::ThreadAt thread;      ///< whose box is drawn
};
/// `step`: of `offsets.steps`.
scene::Scene offsets_view(const source::PointerOffsets& offsets, std::size_t step, const OffsetsOptions&, const Theme&);

/// The boxes drawn: "state,axis,extent,first,count,step"; without rows where there is none.
std::string offsets_csv(const source::PointerOffsets& offsets, std::size_t step, const source::ThreadAt& thread);

/// The sentence below the picture: how the parts of one stage cover the array. Counted, element by element, where that
/// are no more than `most_elements`; empty where it is not known.
std::string tiling_words(const source::PointerOffsets& offsets, std::size_t step,
                         std::uint64_t most_elements = 1U << 23);

}  // namespace lanescope::views
