#pragma once
// Journeys of elements (results/journey.h) through a recorded block.
//
// The trace is read once, forwards: every value that a probe shows and every word that is loaded or stored has an
// identity, so that each place that begins or ceases to hold an element is found without following anything. Then
// the way from one place to the next is followed backwards (Origins), from where the element arrives to the
// nearest earlier place that was found to hold it: a few instructions, not the history of the value. If values are
// not followed through an instruction in between, the newest place of that warp is taken, and the hop is marked.

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/engine/values/origins.h"
#include "results/journey.h"

namespace lanescope::engine {

/// Where views show a word of a variable.
struct RegisterPlace {
  int family = -1, reg = -1;
  std::string name{};
};

struct JourneyQuestion {
  std::vector<Element> elements;  ///< at most results::most_pins
  /// `element_bits`: of 64-bit elements, two words of an array are one register.
  std::function<std::optional<RegisterPlace>(trace::VariableWord, int element_bits)> place;
  std::chrono::milliseconds most_time{4'000};
  std::size_t most_stations = 4'096;  ///< of one journey
};

/// One per element. Memory: at most `most_stations` stations and 16 times as many loads of each, and one entry for each
/// identity of the trace.
std::vector<results::Journey> journeys(Origins& origins, const JourneyQuestion& question);

}  // namespace lanescope::engine
