#pragma once
// Transfers of global memory: the same access as a load that is cached in L1 (whole lines of 128 bytes) and as one that is
// not (sectors of 32 bytes), and how often each sector was transferred over a line of code or the whole run.
//
// Transaction sizes: "CUDA execution model", Fermi and Kepler; from Volta on L1 fills by sectors, so the right-hand side
// is what such a GPU transfers in both cases (assets/gpus.toml, cached_load_transaction_bytes).

#include <string>

#include "viz/scene/scene.h"
#include "viz/views/base/selection.h"
#include "viz/views/base/theme.h"

namespace lanescope::views {

struct TrafficOptions {
  float width = 0;     ///< below 540 the two halves stand one below the other
  int most_rows = 8;   ///< rows of 128 bytes
  int buffer = -1;     ///< -1: the one accessed
  std::string note{};  ///< as in GlobalOptions
  float height = 0;    ///< the room there is; where it is short, what can be read elsewhere is left out; 0: any
};
/// The access of the moment. Left: transactions of 128 bytes; right: sectors of 32 bytes. Unrequested bytes
/// are hatched. Ids are those of global_view; the right half has group 1.
scene::Scene traffic_view(const Summary&, const Moment&, const Selection&, const TrafficOptions&, const Theme&);

/// Counts on every line and sector. The unrequested part of a sector is hatched.
scene::Scene traffic_totals_view(const Summary&, const AccessTotals&, const Selection&, const TrafficOptions&,
                                 const Theme&);

/// "buffer,line_offset_bytes,sector,transactions_of_128_bytes,sector_moves,bytes_used"; one row per touched sector.
std::string to_csv(const Summary&, const AccessTotals&);

}  // namespace lanescope::views
