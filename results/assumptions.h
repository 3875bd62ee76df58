#pragma once
// Which assumptions a result rests on, and how that is said: in front of it, once and shortly.

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "results/summary.h"

namespace lanescope::results {

using Assumptions = std::vector<source::Assumption>;

/// Of what a rule of the review found in these launches; empty: in some launch. None of rules about text and code.
Assumptions rests_on(const Summary& summary, std::string_view rule, std::set<int> launches);
/// Of a finding: in its launch and those of its parties.
Assumptions rests_on(const Summary& summary, const FindingInfo& finding);
/// `array`: after which buffer the access is, "" for one to shared memory or to no buffer; nullopt: the fault is of another kind.
Assumptions fault_rests_on(const Summary& summary, int launch, std::optional<std::string_view> array);
/// Of a verdict.
Assumptions rests_on(const Summary& summary, const ClaimInfo& claim);
/// Of a review that found nothing.
Assumptions silence_rests_on(const Summary& summary);
/// Of anything that a report says.
Assumptions anything_rests_on(const Summary& summary);

/// Sentences about the whole run: what was assumed, then what was inferred.
std::vector<std::string> sentences_of(const Summary& summary);

/// "if the block is 32 x 1 x 1 and n is 32 (assumed): "; empty where there are none.
std::string condition_words(const Assumptions& assumed);

}  // namespace lanescope::results
