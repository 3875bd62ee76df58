#include "results/journey.h"

#include "kernels/base/numbers.h"

#include <algorithm>
#include <string_view>

namespace lanescope::results {

std::vector<std::int32_t> path_to(const Journey& journey, std::int32_t station) {
  std::vector<std::int32_t> path;
  for (std::int32_t at = station; at >= 0; at = journey.stations[static_cast<std::size_t>(at)].from) path.push_back(at);
  std::ranges::reverse(path);
  return path;
}

std::int32_t end_of(const Journey& journey) {
  if (!journey.arrivals.empty()) return journey.arrivals.front();
  std::int32_t end = -1;
  for (std::size_t i = 0; i < journey.stations.size(); ++i) {
    const Station& s = journey.stations[i];
    if (end < 0) {
      end = static_cast<std::int32_t>(i);
      continue;
    }
    const Station& best = journey.stations[static_cast<std::size_t>(end)];
    if (std::pair(s.exact, s.step) > std::pair(best.exact, best.step)) end = static_cast<std::int32_t>(i);
  }
  return end;
}

std::int32_t station_at(const Journey& journey, const std::vector<std::int32_t>& path, std::int64_t step) {
  std::int32_t here = -1;
  for (const std::int32_t at : path)
    if (journey.stations[static_cast<std::size_t>(at)].step <= step) here = at;
  return here;
}

std::size_t branches_beside(const Journey& journey, const std::vector<std::int32_t>& path, std::int32_t station) {
  std::vector<bool> below(journey.stations.size(), false);
  std::size_t count = 0;
  for (std::size_t i = 0; i < journey.stations.size(); ++i) {
    const std::int32_t from = journey.stations[i].from;
    if (from < 0 || std::ranges::find(path, static_cast<std::int32_t>(i)) != path.end()) continue;
    below[i] = from == station || below[static_cast<std::size_t>(from)];
    count += below[i];
  }
  return count;
}

std::vector<PinnedPlace> pinned_memory(const Journeys& journeys, std::int64_t step) {
  std::vector<PinnedPlace> all;
  for (std::size_t n = 0; n < journeys.all.size(); ++n) {
    const Journey& j = journeys.all[n];
    if (j.stations.empty() && j.refused.empty())  // it is not moved
      all.push_back({static_cast<int>(n),
                     {.buffer = j.buffer,
                      .element = j.element,
                      .byte = j.element * static_cast<std::uint64_t>(std::max(j.element_bits, 1)) / 8},
                     true});
    for (const Station& s : j.stations) {
      const bool memory = s.place.kind == JourneyPlace::Kind::buffer || s.place.kind == JourneyPlace::Kind::shared;
      if (memory && s.step <= step && (s.until < 0 || s.until > step))
        all.push_back({static_cast<int>(n), s.place, s.exact});
    }
  }
  return all;
}

NamedElements read_elements(const std::string& text) {
  const std::size_t open = text.find('[');
  if (open == 0 || open == std::string::npos || text.back() != ']') return {};
  std::string_view inside = std::string_view(text).substr(open + 1, text.size() - open - 2);
  const std::size_t dots = inside.find("..");
  const auto number = [](std::string_view words, std::uint64_t& to) {
    const auto read = number_in<std::uint64_t>(words);
    to = read.value_or(0);
    return read.has_value();
  };
  NamedElements e;
  if (!number(inside.substr(0, dots), e.first)) return {};
  e.last = e.first;
  if (dots != std::string_view::npos && !number(inside.substr(dots + 2), e.last)) return {};
  if (e.last < e.first || e.last - e.first >= most_pins) return {};
  e.buffer = text.substr(0, open);
  return e;
}

}  // namespace lanescope::results
