#pragma once
// One access to shared memory, played wavefront by wavefront, as it is and as it would be under another layout: 32 banks
// across, rows down, words coloured by lane. A bank that is asked for several words is outlined, with their number.

#include "profiling/access/wavefronts.h"
#include "viz/views/views.h"

namespace lanescope::views {

access::Pattern pattern_of(const AccessInfo& access);

/// The lanes' addresses under the other layout; as they are for WhatIf::Kind::none.
access::Pattern apply(const access::Pattern& pattern, const WhatIf& what_if);
/// "rows of 32 words, 1 word of padding", "XOR swizzle of 4-word pieces in rows of 32 words".
std::string words(const WhatIf& what_if);

struct BankCosts {
  access::SharedCost before, after;
  int wavefronts = 0;  ///< that can be played: the larger of both
};
BankCosts bank_costs(const AccessInfo& access, const WhatIf& what_if);

/// Ids: shared_word, bank_heading and wavefront/n as it is; what_if_word, bank_heading@1 and wavefront/n/1 beside it.
/// Below 620 px the two stand one below the other.
scene::Scene banks_view(const AccessInfo& access, const Selection&, const SharedOptions&, const Theme&);

/// "layout,wavefront,lane,word,bank,row"; layout is "as it is" or "what if".
std::string to_csv(const AccessInfo& access, const WhatIf& what_if);

}  // namespace lanescope::views
