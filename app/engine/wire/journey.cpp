#include "results/journey.h"

#include "app/engine/wire/codec.h"

namespace lanescope::results {

template <class A>
void describe(A& a, JourneyPlace& v) {
  a("kind", v.kind), a("buffer", v.buffer), a("element", v.element), a("byte", v.byte), a("warp", v.warp);
  a("lane", v.lane), a("family", v.family), a("register", v.reg), a("part", v.part), a("name", v.name);
}
template <class A>
void describe(A& a, Hop& v) {
  a("way", v.way), a("step", v.step), a("line", v.line), a("from", v.from_lane), a("lane", v.lane), a("op", v.op);
}
template <class A>
void describe(A& a, Station& v) {
  a("place", v.place), a("step", v.step), a("until", v.until), a("line", v.line), a("warp", v.warp);
  a("lane", v.lane), a("from", v.from), a("hops", v.hops), a("exact", v.exact), a("partial", v.partial);
  a("count", v.count);
}
template <class A>
void describe(A& a, Journey& v) {
  a("buffer", v.buffer), a("element", v.element), a("bits", v.element_bits), a("stations", v.stations);
  a("arrivals", v.arrivals), a("cut", v.cut), a("refused", v.refused), a("blocks", v.blocks);
  a("blocks_known", v.blocks_known);
}
template <class A>
void describe(A& a, Journeys& v) {
  a("all", v.all), a("block", v.block), a("first_step", v.first_step);
}

}  // namespace lanescope::results

namespace lanescope::engine::wire {

template <>
Bytes encode<results::Journeys>(const results::Journeys& message) {
  return codec::encode_message(message);
}

/// Paths follow the numbers of stations.
template <>
Expected<results::Journeys> decode<results::Journeys>(std::span<const std::uint8_t> payload) {
  auto journeys = codec::decode_message<results::Journeys>(payload);
  if (!journeys) return journeys;
  bool sane = true;
  for (const results::Journey& j : journeys->all) {
    const auto count = static_cast<std::int64_t>(j.stations.size());
    for (std::int64_t i = 0; i < count; ++i) {
      const std::int32_t from = j.stations[static_cast<std::size_t>(i)].from;
      sane = sane && from >= -1 && from < i;
    }
    for (const std::int32_t arrival : j.arrivals) sane = sane && arrival >= 0 && arrival < count;
  }
  if (!sane) return failure("a message has an unexpected structure: a place of a journey that it lacks");
  return journeys;
}

}  // namespace lanescope::engine::wire
