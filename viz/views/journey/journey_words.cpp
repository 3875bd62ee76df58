#include <algorithm>

#include <fmt/format.h>

#include "kernels/base/enum_size.h"
#include "kernels/base/numbers.h"
#include "viz/views/base/csv.h"
#include "viz/views/base/elements.h"
#include "viz/views/journey/journey.h"
#include "viz/views/registers/places.h"

namespace lanescope::views {
namespace {

using results::Hop;

int parts_of(const Journey& j) { return 32 / std::clamp(j.element_bits, 1, 32); }

struct WayNames {
  std::string_view name, brief;
  bool with_op = false;  ///< Hop::op follows
};
/// By Hop::Way.
constexpr WayNames way_names[] = {{"load", "load"},
                                  {"store", "store"},
                                  {"asynchronous copy", "copy"},
                                  {"atomic", "atomic", true},
                                  {"shuffle", "shuffle"},
                                  {"move", "move"},
                                  {"select", "select"},
                                  {"pack", "pack"},
                                  {"compute", "compute", true},
                                  {"not followed through", "?", true},
                                  {"is added into", "sums", true},
                                  {"changed into", "convert", true}};

}  // namespace

std::string_view short_hop_name(Hop::Way way) { return entry_for(way_names, way).brief; }

std::string hop_name(const Hop& hop) {
  if (hop.way == Hop::Way::product && hop.op == "redux") return "enters the result of redux";
  const WayNames& names = entry_for(way_names, hop.way);
  std::string words(names.name);
  if (hop.way == Hop::Way::shuffle && hop.from_lane >= 0) words += fmt::format(" from lane {}", hop.from_lane);
  if (names.with_op && !hop.op.empty()) words += " " + hop.op;
  return words;
}

std::string short_place(const Summary& summary, const Journey& j, const JourneyPlace& p) {
  switch (p.kind) {
    case JourneyPlace::Kind::buffer:
      return p.buffer < 0 ? "global" : tag_text(summary, p.buffer, p.element);
    case JourneyPlace::Kind::shared:
      return "shared +" + spaced(p.byte);
    case JourneyPlace::Kind::local:
      return "local +" + spaced(p.byte);
    case JourneyPlace::Kind::register_:
      break;
  }
  return register_name(summary, p.family, p.reg, p.part, parts_of(j));
}

std::string place_words(const Summary& summary, const Journey& j, const JourneyPlace& p) {
  switch (p.kind) {
    case JourneyPlace::Kind::buffer: {
      if (p.buffer < 0) return "global memory outside of the buffers";
      const std::string linear = tag_text(summary, p.buffer, p.element),
                        axes = element_text(summary, p.buffer, p.element);
      return linear == axes ? linear : fmt::format("{} (element {})", axes, spaced(p.element));
    }
    case JourneyPlace::Kind::shared:
      return fmt::format("shared memory, byte {} (row {}, bank {})", spaced(p.byte), p.byte / 128, p.byte / 4 % 32);
    case JourneyPlace::Kind::local:
      return fmt::format("local memory of warp {}, lane {}, byte {}", p.warp, p.lane, spaced(p.byte));
    case JourneyPlace::Kind::register_:
      break;
  }
  return fmt::format("{}, warp {}, lane {}", short_place(summary, j, p), p.warp, p.lane);
}

std::string hops_words(const Summary& summary, const Station& s) {
  std::string words;
  for (const Hop& hop : s.hops) {
    if (!words.empty()) words += " · ";
    words += hop_name(hop);
    if (hop.line > 0) words += ", " + summary.lines.words(hop.line);
  }
  if (!words.empty() || s.step < 0) return words;
  return s.from >= 0 ? "the same register under another name" : "source not known";
}

std::string value_words(const Station& s) {
  if (s.exact) return {};
  if (s.partial) return "some of its bits";
  if (s.count <= 1) return "a value computed from it";
  if (s.count == ~0u) return "a value that depends on it and many others";
  return fmt::format("a value that depends on it and {}", counted(s.count - 1, "other"));
}

std::string journey_remark(const Summary& summary, const Journeys& all, const Journey& j) {
  if (!j.refused.empty()) return j.refused + ".";
  std::string words;
  if (j.stations.empty()) {
    words = fmt::format("Block {}, the recorded one, does not access it", all.block);
    if (!j.blocks.empty())
      words += fmt::format("; block {} does.", j.blocks.front());
    else
      words += j.blocks_known ? ", and no other block does." : ".";
  } else if (j.arrivals.empty()) {
    words = "The block does not store it.";
  }
  if (j.cut) words += (words.empty() ? "" : " ") + std::string("There are more places than are followed.");
  if (all.first_step > 0 && !j.stations.empty())
    words += fmt::format("{}The state before step {} of the block is not known.", words.empty() ? "" : " ",
                         spaced(all.first_step + 1));
  static_cast<void>(summary);
  return words;
}

std::vector<std::int32_t> shown_path(const Journey& j, int end) {
  const bool there = end > 0 && static_cast<std::size_t>(end) < j.arrivals.size();
  return results::path_to(j, there ? j.arrivals[static_cast<std::size_t>(end)] : results::end_of(j));
}

std::string journey_tooltip(const Summary& summary, const Journeys& all, const Id& id) {
  const auto n = static_cast<std::size_t>(std::max(id.a, 0));
  if (n >= all.all.size()) return {};
  const Journey& j = all.all[n];
  const auto at = static_cast<std::size_t>(std::max(id.b, 0));
  if (id.kind == Id::Kind::journey_row) {
    std::string words = element_place(summary, j.buffer, j.element);
    const std::string remark = journey_remark(summary, all, j);
    return remark.empty() ? words : words + "; " + remark;
  }
  if (at >= j.stations.size()) return {};
  const Station& s = j.stations[at];
  if (id.kind == Id::Kind::journey_hop) return hops_words(summary, s);
  if (id.kind == Id::Kind::journey_branch)
    return "copies that are not on the path shown; a click shows the next place in a buffer where it arrives";
  if (id.kind != Id::Kind::journey_station) return {};
  std::string words = place_words(summary, j, s.place);
  if (const std::string value = value_words(s); !value.empty()) words += ": " + value;
  if (s.step < 0)
    words += all.first_step > 0 ? "; there when the recorded part begins" : "; there before the block";
  else
    words += fmt::format("; from step {}", spaced(static_cast<std::uint64_t>(s.step) + 1 + all.first_step));
  if (s.until >= 0)
    words += fmt::format(" until it is overwritten at step {}",
                         spaced(static_cast<std::uint64_t>(s.until) + 1 + all.first_step));
  if (const std::string hops = hops_words(summary, s); !hops.empty()) words += "; " + hops;
  return words;
}

std::optional<Selection> select_in_journey(const Summary&, const Journeys& all, const JourneyOptions& options,
                                           const Id& id, Selection before) {
  const auto n = static_cast<std::size_t>(std::max(id.a, 0));
  if (n >= all.all.size()) return std::nullopt;
  const Journey& j = all.all[n];
  before.element = {{j.buffer, j.element}};
  if (id.kind == Id::Kind::journey_row) {
    before.place.reset();
    before.address = {{j.buffer, j.element * static_cast<std::uint64_t>(std::max(j.element_bits, 1)) / 8}};
    return before;
  }
  const auto at = static_cast<std::size_t>(std::max(id.b, 0));
  if (at >= j.stations.size()) return std::nullopt;
  const Station& s = j.stations[at];
  if (id.kind == Id::Kind::journey_hop) {
    const auto h = static_cast<std::size_t>(std::max(id.c, 0));
    before.step = h < s.hops.size() ? s.hops[h].step : s.step;
    return before;
  }
  if (id.kind != Id::Kind::journey_station) return std::nullopt;
  before.step = s.step;
  if (s.step < 0) {
    // Before the first step nothing is to be seen: the step that takes it from there.
    const std::vector<std::int32_t> path = shown_path(j, n < options.ends.size() ? options.ends[n] : 0);
    const auto here = std::ranges::find(path, static_cast<std::int32_t>(at));
    if (here != path.end() && here + 1 != path.end()) {
      const Station& next = j.stations[static_cast<std::size_t>(*(here + 1))];
      before.step = next.hops.empty() ? next.step : next.hops.front().step;
    }
  }
  before.place.reset(), before.address.reset();
  if (s.place.kind == JourneyPlace::Kind::register_) {
    before.place = PlaceRef{s.place.family, s.place.warp, s.place.reg, s.place.part, s.place.lane};
    before.family = s.place.family, before.warp = s.place.warp;
  } else if (s.place.kind == JourneyPlace::Kind::shared) {
    before.address = {{-1, s.place.byte}};
  } else if (s.place.kind == JourneyPlace::Kind::buffer && s.place.buffer >= 0) {
    before.address = {{s.place.buffer, s.place.byte}};
  }
  return before;
}

std::string journey_csv(const Summary& summary, const Journeys& all, const JourneyOptions& options) {
  csv::Table table{"element",    "station", "place", "value", "from_step",
                   "until_step", "warp",    "lane",  "line",  "moved_by"};
  const auto number = [](std::int64_t n) { return n < 0 ? std::string() : std::to_string(n); };
  for (std::size_t n = 0; n < all.all.size(); ++n) {
    const Journey& j = all.all[n];
    int row = 0;
    for (const std::int32_t at : shown_path(j, n < options.ends.size() ? options.ends[n] : 0)) {
      const Station& s = j.stations[static_cast<std::size_t>(at)];
      table.row(tag_text(summary, j.buffer, j.element), row++, place_words(summary, j, s.place), value_words(s),
                number(s.step), number(s.until), number(s.warp), number(s.lane),
                s.line > 0 ? summary.lines.number(s.line) : std::string(), hops_words(summary, s));
    }
  }
  return table.text();
}

}  // namespace lanescope::views
