#include "app/engine/wire/shared_descriptions.h"

namespace lanescope::codec {

/// Moves a value through an integer of the width that travels.
template <class Wire, class Cursor, class Value>
void as(Cursor& c, Value& v) {
  if constexpr (std::is_const_v<Value>) {
    c(static_cast<Wire>(v));
  } else {
    Wire wire{};
    c(wire);
    v = static_cast<Value>(wire);
  }
}

template <>
struct Packed<results::Cell> {
  static constexpr std::size_t bytes = 18;
  template <class Cursor, class Value>
  static void each(Cursor& c, Value& v) {
    c(v.value), c(v.element), c(v.buffer), c(v.kind), as<std::uint8_t>(c, v.defined), as<std::uint8_t>(c, v.changed),
        c(v.sources), c(v.set);
  }
};

template <>
struct Packed<results::Move> {
  static constexpr std::size_t bytes = 18;
  template <class Cursor, class Place>
  static void place(Cursor& c, Place& p) {
    as<std::uint16_t>(c, p.family), as<std::uint16_t>(c, p.warp), as<std::uint16_t>(c, p.reg),
        as<std::uint16_t>(c, p.part);
    as<std::uint8_t>(c, p.lane);
  }
  template <class Cursor, class Value>
  static void each(Cursor& c, Value& v) {
    place(c, v.from), place(c, v.to);
  }
};

template <>
struct Packed<results::ArrivedCell> {
  static constexpr std::size_t bytes = 11 + Packed<results::Cell>::bytes;
  template <class Cursor, class Value>
  static void each(Cursor& c, Value& v) {
    as<std::uint16_t>(c, v.buffer), c(v.byte), as<std::uint8_t>(c, v.bits);
    Packed<results::Cell>::each(c, v.cell);
  }
};

template <>
struct Packed<results::Flow> {
  static constexpr std::size_t bytes = 14;
  template <class Cursor, class Value>
  static void each(Cursor& c, Value& v) {
    as<std::uint8_t>(c, v.kind), c(v.from_row), c(v.to_row), c(v.from_column), c(v.to_column), c(v.lane);
  }
};

template <>
struct Packed<trace::SharedByte> {
  static constexpr std::size_t bytes = 9;
  template <class Cursor, class Value>
  static void each(Cursor& c, Value& v) {
    c(v.value), c(v.tag), as<std::uint8_t>(c, v.written);
  }
};

}  // namespace lanescope::codec

namespace lanescope::results {

template <class A>
void describe(A& a, RegisterGrid& v) {
  a("family", v.family), a("bits", v.element_bits), a("parts", v.parts), a("registers", v.registers),
      a("warps", v.warps);
  a("first_warp", v.first_warp), a("cells", v.cells);
}
template <class A>
void describe(A& a, AccessInfo& v) {
  describe(a, static_cast<access::Access&>(v));
  a("cost", v.cost), a("line", v.line), a("warp", v.warp), a("buffer", v.buffer), a("on_gpu", v.on_gpu);
}
template <class A>
void describe(A& a, HalfWarpMoves& v) {
  a("transactions", v.transactions), a("sectors", v.sectors);
}
template <class A>
void describe(A& a, LineTransfers& v) {
  a("line", v.line), a("transactions", v.transactions), a("sectors", v.sectors), a("used", v.used);
  a("wanted", v.bytes_wanted), a("half_warps", v.half_warps);
}
template <class A>
void describe(A& a, AccessTotals& v) {
  a("buffer", v.buffer), a("code_line", v.code_line), a("requests", v.requests), a("loads", v.loads);
  a("stores", v.stores), a("lines", v.lines), a("half_warp_sizes", v.half_warp_sizes);
}
template <class A>
void describe(A& a, PlaceRef& v) {
  a("family", v.family), a("warp", v.warp), a("register", v.reg), a("part", v.part), a("lane", v.lane);
}
template <class A>
void describe(A& a, ElementRun& v) {
  a("buffer", v.buffer), a("first", v.first), a("step", v.step), a("count", v.count), a("stride", v.stride);
  a("times", v.times);
}
template <class A>
void describe(A& a, ElementSet& v) {
  a("count", v.count), a("runs", v.runs), a("whole", v.whole), a("known", v.known);
}
template <class A>
void describe(A& a, ValueTree::Edge& v) {
  a("from", v.from), a("way", v.way), a("changed", v.changed), a("step", v.step);
}
template <class A>
void describe(A& a, ValueTree::Node& v) {
  a("kind", v.kind), a("op", v.op), a("warp", v.warp), a("lane", v.lane), a("step", v.step), a("line", v.line);
  a("level", v.level), a("elements", v.elements), a("operands", v.operands), a("variable", v.variable);
  a("value", v.value);
}
template <class A>
void describe(A& a, ValueTree& v) {
  a("nodes", v.nodes), a("roots", v.roots), a("lanes", v.root_lanes), a("subject", v.subject), a("step", v.step);
  a("line", v.line), a("depends", v.depends), a("not_followed", v.not_followed), a("refused", v.refused);
  a("most_level", v.most_level);
}
template <class A>
void describe(A& a, MovementRow& v) {
  a("region", v.region), a("family", v.family), a("register", v.reg), a("part", v.part), a("parts", v.parts);
  a("buffer", v.buffer), a("line", v.line), a("bits", v.cell_bits), a("read", v.read), a("written", v.written);
  a("before", v.before), a("after", v.after);
}
template <class A>
void describe(A& a, Movement& v) {
  a("from", v.from), a("to", v.to), a("warp", v.warp), a("first_line", v.first_line), a("line", v.line);
  a("rows", v.rows), a("flows", v.flows), a("sets", v.sets), a("overwritten", v.overwritten), a("refused", v.refused);
}
template <class A>
void describe(A& a, Moment& v) {
  a("step", v.step), a("block", v.block), a("warp", v.warp), a("active", v.active), a("pc", v.pc), a("line", v.line);
  a("grids", v.grids), a("moves", v.moves), a("moves_from", v.moves_from), a("access", v.access), a("shared", v.shared);
  a("shared_cells", v.shared_cells), a("family", v.assignment_family), a("claimed", v.claimed), a("real", v.real);
  a("real_words", v.real_words), a("claimed_line", v.claimed_line), a("statement", v.statement_words);
  a("statement_from", v.statement_first_line);
  a("totals", v.totals), a("sets", v.sets), a("tree", v.tree), a("tree_place", v.tree_place);
  a("movement", v.movement), a("arrived", v.arrived);
}

}  // namespace lanescope::results

namespace lanescope::engine::wire {
namespace {

/// Views go from flows to rows and columns without looking.
bool is_sane(const results::Movement& m) {
  for (const results::MovementRow& row : m.rows)
    if (row.before.size() != row.after.size() || row.cell_bits < 1 || row.cell_bits > 64) return false;
  const auto names_cell = [&](std::int32_t row, std::size_t column) {
    return row >= 0 && static_cast<std::size_t>(row) < m.rows.size() &&
           column < m.rows[static_cast<std::size_t>(row)].after.size();
  };
  for (const results::Flow& f : m.flows) {
    if (f.kind > results::Flow::Kind::appeared || !names_cell(f.to_row, f.to_column) || f.lane > 31) return false;
    if (f.kind != results::Flow::Kind::appeared && !names_cell(f.from_row, f.from_column)) return false;
  }
  return true;
}

}  // namespace

template <>
Bytes encode<results::Moment>(const results::Moment& message) {
  return codec::encode_message(message);
}

/// Views index cells by the grid's own numbers, so a grid must have as many as it says.
template <>
Expected<results::Moment> decode<results::Moment>(std::span<const std::uint8_t> payload) {
  auto moment = codec::decode_message<results::Moment>(payload);
  if (!moment) return moment;
  for (const results::RegisterGrid& g : moment->grids) {
    const bool sane = g.registers >= 0 && g.parts >= 0 && g.warps >= 0 && g.registers <= 1 << 16 && g.parts <= 32 &&
                      g.warps <= 1 << 10;
    if (!sane || g.cells.size() != static_cast<std::size_t>(g.registers) * g.parts * g.warps * 32)
      return failure("a message has an unexpected structure: wrong number of register cells");
  }
  if (moment->tree) {
    const results::ValueTree& t = *moment->tree;
    bool sane = t.root_lanes.size() == t.roots.size();
    for (std::size_t n = 0; n < t.nodes.size(); ++n)
      for (const results::ValueTree::Edge& e : t.nodes[n].operands)
        sane = sane && e.from >= 0 && static_cast<std::size_t>(e.from) < n;
    for (const results::ValueTree::Edge& e : t.roots) sane = sane && e.from < static_cast<std::int64_t>(t.nodes.size());
    if (!sane) return failure("a message has an unexpected structure: a value made of values that it lacks");
  }
  if (moment->movement && !is_sane(*moment->movement))
    return failure("a message has an unexpected structure: a value that moves from or to a cell that it lacks");
  for (const results::ArrivedCell& c : moment->arrived)
    if (c.bits < 8 || c.bits > 64)
      return failure("a message has an unexpected structure: a cell of an unexpected size");
  if (moment->shared_cells.size() != moment->shared.size())
    return failure("a message has an unexpected structure: wrong number of shared memory cells");
  return moment;
}

}  // namespace lanescope::engine::wire
