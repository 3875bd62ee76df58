#pragma once
// The global memory view: which 32-byte sectors of which 128-byte lines one warp-wide access touches, and with what.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "profiling/access/traffic.h"
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

/// The elements that arrived in one word of a buffer with this step's store; none where it did not write there.
std::vector<const results::ArrivedCell*> arrived_in_word(const Moment& moment, int buffer, std::uint64_t word);

/// "q[0..31] holds p[31..0]", one for each run of elements in equal strides; at most `most`, then how many more.
std::vector<std::string> arrived_words(const Summary& summary, const Moment& moment, int buffer, std::size_t most = 3);

// Transfers of global memory: what one access moves on the ways that the chosen generation has, and how often each sector
// was transferred over a line of code or the whole run.
//
// Fermi and Kepler move whole lines of 128 bytes where L1 holds a load, and segments of 32 bytes where it does not
// ("CUDA execution model"); from Maxwell on both move sectors of 32 bytes, and there is one picture
// (assets/gpus.toml, cached_load_transaction_bytes).

struct TrafficOptions {
  float width = 0;     ///< below 540 the two halves stand one below the other
  int most_rows = 8;   ///< rows of 128 bytes
  int buffer = -1;     ///< -1: the one accessed
  std::string note{};  ///< as in GlobalOptions
  float height = 0;    ///< the room there is; where it is short, what can be read elsewhere is left out; 0: any
  std::string arch{};  ///< whose memory is drawn, "sm_90"; empty: not said
  access::MemoryModel memory = access::h200_memory();
  std::optional<access::LoadPath> path{};      ///< of the load; absent: each that moves other pieces than the rest
  std::vector<results::PinnedPlace> pinned{};  ///< where followed elements lie: rows that are never folded
};
/// How many pictures traffic_view() has for an access: one, or two beside each other (below 540 one above the other).
int traffic_pictures(const AccessInfo& access, const TrafficOptions& options);
/// The access of the moment, once for each way. Unrequested bytes are hatched. Ids are those of global_view; a second
/// picture has group 1.
scene::Scene traffic_view(const Summary&, const Moment&, const Selection&, const TrafficOptions&, const Theme&);

/// Counts on every line and sector. The unrequested part of a sector is hatched.
scene::Scene traffic_totals_view(const Summary&, const AccessTotals&, const Selection&, const TrafficOptions&,
                                 const Theme&);

/// "buffer,line_offset_bytes,sector,transactions_of_128_bytes,sector_moves,bytes_used"; one row per moved sector. Of compute
/// capability 1.x "transactions" in place of those of 128 bytes.
std::string to_csv(const Summary&, const AccessTotals&, access::HalfWarps rule = access::HalfWarps::none);

}  // namespace lanescope::views
