#pragma once
// The global memory view: which 32-byte sectors of which 128-byte lines one warp-wide access touches, and with what.

#include <cstdint>
#include <string>
#include <vector>

#include "results/journey.h"
#include "viz/scene/scene.h"
#include "viz/views/base/elements.h"
#include "viz/views/base/selection.h"
#include "viz/views/base/theme.h"

namespace lanescope::views {

struct GlobalOptions {
  float width = 0;
  int most_rows = 8;       ///< rows of 128 bytes; runs of untouched lines are folded into one
  int buffer = -1;         ///< -1: the one accessed, or else the first
  std::string color_by{};  ///< "lane", or as in RegistersOptions; "" is the slowest axis that varies, or lane
  std::string note{};      ///< said before the words of the access: "evidence of uncoalesced"
  std::vector<results::PinnedPlace> pinned{};  ///< where followed elements lie
};
scene::Scene global_view(const Summary&, const Moment&, const Selection&, const GlobalOptions&, const Theme&);

// Which elements a store has put into the words of a buffer, in words.

/// What arrived in one word of a buffer with this step's store; none where it did not write there.
std::vector<const results::ArrivedCell*> arrived_in_word(const Moment& moment, int buffer, std::uint64_t word);

/// "q[0..31] holds p[31..0]", one for each run of elements in equal strides; at most `most`, then how many more.
std::vector<std::string> arrived_words(const Summary& summary, const Moment& moment, int buffer, std::size_t most = 3);

}  // namespace lanescope::views
