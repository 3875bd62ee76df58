#include "app/engine/summary/access_info.h"

namespace lanescope::engine {
namespace {

struct Side {
  std::string words;
  std::uint32_t mask = 0;
  std::vector<std::string> places;
};

Side side_of(const trace::Trace& trace, std::int64_t access) {
  if (access < 0) return {};
  const trace::AccessRecord record = trace.accesses[static_cast<std::size_t>(access)];
  Side side{.words = trace::access_words(record), .mask = record.mask};
  for (std::size_t lane = 0; lane < trace::lanes_per_warp; ++lane)
    side.places.push_back((record.mask >> lane & 1) != 0 ? trace::place_words(trace, record, lane) : "");
  return side;
}

}  // namespace

std::optional<results::AccessPair> access_pair(const trace::Trace& expected, const trace::Trace& found,
                                               const instrument::Difference& difference) {
  if (difference.expected_access < 0 && difference.found_access < 0) return std::nullopt;
  Side emulated = side_of(expected, difference.expected_access), gpu = side_of(found, difference.found_access);
  return results::AccessPair{.line = difference.line,
                             .block = difference.block,
                             .warp = difference.warp,
                             .index = difference.index,
                             .emulated = std::move(emulated.words),
                             .gpu = std::move(gpu.words),
                             .emulated_mask = emulated.mask,
                             .gpu_mask = gpu.mask,
                             .emulated_places = std::move(emulated.places),
                             .gpu_places = std::move(gpu.places)};
}

}  // namespace lanescope::engine
