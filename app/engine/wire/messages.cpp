// Encodes and decodes every message. Properties that views rely on and do not check themselves are checked here.

#include "app/engine/wire/messages.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/engine/wire/measured.h"

namespace lanescope::results {

/// Views index cells by the grid's own numbers.
std::string_view flaw_of(const RegisterGrid& g) {
  const bool sane =
      g.registers >= 0 && g.parts >= 0 && g.warps >= 0 && g.registers <= 1 << 16 && g.parts <= 32 && g.warps <= 1 << 10;
  if (sane && g.cells.size() == static_cast<std::size_t>(g.registers) * g.parts * g.warps * 32) return {};
  return "wrong number of register cells";
}

std::string_view flaw_of(const ValueTree& t) {
  bool sane = t.root_lanes.size() == t.roots.size();
  for (std::size_t n = 0; n < t.nodes.size(); ++n)
    for (const ValueTree::Edge& e : t.nodes[n].operands)
      sane = sane && e.from >= 0 && static_cast<std::size_t>(e.from) < n;
  for (const ValueTree::Edge& e : t.roots) sane = sane && e.from < static_cast<std::int64_t>(t.nodes.size());
  return sane ? "" : "a value made of values that it lacks";
}

/// Views follow flows to rows and columns.
std::string_view flaw_of(const Movement& m) {
  bool sane = true;
  for (const MovementRow& row : m.rows)
    sane = sane && row.before.size() == row.after.size() && row.cell_bits >= 1 && row.cell_bits <= 64;
  const auto names_cell = [&](std::int32_t row, std::size_t column) {
    return row >= 0 && static_cast<std::size_t>(row) < m.rows.size() &&
           column < m.rows[static_cast<std::size_t>(row)].after.size();
  };
  for (const Flow& f : m.flows)
    sane = sane && names_cell(f.to_row, f.to_column) && f.lane <= 31 &&
           (f.kind == Flow::Kind::appeared || names_cell(f.from_row, f.from_column));
  return sane ? "" : "a value that moves from or to a cell that it lacks";
}

std::string_view flaw_of(const Moment& m) {
  if (m.shared_cells.size() != m.shared.size()) return "wrong number of shared memory cells";
  const auto sane = [](const ArrivedCell& c) { return c.bits >= 8 && c.bits <= 64; };
  return std::ranges::all_of(m.arrived, sane) ? "" : "a cell of an unexpected size";
}

/// Paths follow the numbers of stations.
std::string_view flaw_of(const Journey& j) {
  bool sane = true;
  const auto count = static_cast<std::int64_t>(j.stations.size());
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int32_t from = j.stations[static_cast<std::size_t>(i)].from;
    sane = sane && from >= -1 && from < i;
  }
  for (const std::int32_t arrival : j.arrivals) sane = sane && arrival >= 0 && arrival < count;
  return sane ? "" : "a place of a journey that it lacks";
}

}  // namespace lanescope::results

namespace lanescope::engine::wire {

/// Named: every version reads it.
void describe(auto& a, Hello& v) {
  a("version", v.version), a("program", v.program), a.optional("compression", v.compression);
}

std::string disagreement(const Hello& theirs, const Hello& ours) {
  if (theirs.version == ours.version) return "";
  return fmt::format(
      "{} at the other end uses version {} of the protocol, {} on this machine version {}; install the same version of "
      "lanescope on both",
      theirs.program.empty() ? "the worker" : theirs.program, theirs.version, ours.program, ours.version);
}

#define LS_WIRE_MESSAGE(Message)                                       \
  template <>                                                          \
  Bytes encode<Message>(const Message& message) {                      \
    return codec::encode_message(message);                             \
  }                                                                    \
  template <>                                                          \
  Expected<Message> decode<Message>(std::span<const std::uint8_t> p) { \
    return codec::decode_message<Message>(p);                          \
  }
LS_WIRE_MESSAGE(Hello)
LS_WIRE_MESSAGE(Call)
LS_WIRE_MESSAGE(Event)
LS_WIRE_MESSAGE(Judged)
LS_WIRE_MESSAGE(RunRequest)
LS_WIRE_MESSAGE(MomentRequest)
LS_WIRE_MESSAGE(JourneyRequest)
LS_WIRE_MESSAGE(RunSummary)
LS_WIRE_MESSAGE(RunResult)
LS_WIRE_MESSAGE(results::Summary)
LS_WIRE_MESSAGE(results::Moment)
LS_WIRE_MESSAGE(results::Journeys)

}  // namespace lanescope::engine::wire
