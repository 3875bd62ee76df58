#include "viz/views/movement/movement.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

#include "kernels/base/enum_size.h"
#include "kernels/base/numbers.h"
#include "kernels/base/text.h"
#include "results/step_index.h"
#include "viz/views/base/csv.h"
#include "viz/views/base/elements.h"
#include "viz/views/registers/places.h"

namespace lanescope::views {
namespace {

using results::Flow;
using results::Movement;
using results::MovementRow;
using Region = MovementRow::Region;

const MovementRow& row_of(const Movement& m, int row) { return m.rows[static_cast<std::size_t>(row)]; }

bool is_register(const MovementRow& r) { return r.region == Region::registers; }
bool moves(const Flow& f) { return f.kind != Flow::Kind::appeared; }
bool is_self_flow(const Flow& f) { return f.from_row == f.to_row && f.from_column == f.to_column; }

bool has_identity(const Cell& c) {
  const auto kind = static_cast<trace::ElementTag::Kind>(c.kind);
  return c.defined && c.buffer >= 0 &&
         (kind == trace::ElementTag::Kind::exact || kind == trace::ElementTag::Kind::computed);
}

std::string bits_of(int lane) { return fmt::format("{:05b}", lane); }

/// Names of registers of rows, without their parts: "x0, x1", "y0 … y3".
std::string names_of(const Summary& s, const Movement& m, const std::set<int>& rows) {
  std::vector<std::string> names;
  std::set<std::pair<int, int>> known;
  for (const int row : rows) {
    const MovementRow& r = row_of(m, row);
    if (is_register(r) && known.insert({r.family, r.reg}).second)
      names.push_back(register_name(s, r.family, r.reg, 0, 1));
  }
  if (names.size() > 4) return names.front() + " … " + names.back();
  if (names.size() < 2) return names.empty() ? "" : names.front();
  const std::string last = names.back();
  names.pop_back();
  return fmt::format("{} and {}", fmt::join(names, ", "), last);
}

/// The byte that a column begins at.
std::uint64_t byte_of(const MovementRow& r, int column) {
  return r.line * 128 + static_cast<std::uint64_t>(column * r.cell_bits) / 8;
}

/// First bytes by lane of the flows between registers and a memory; "consecutive", "every 33rd word", ...
std::string pattern_words(const std::map<int, std::uint64_t>& first, std::uint64_t bytes_each, bool shared) {
  if (first.size() < 2) return "";
  const auto begin = first.begin();
  const auto second = std::next(begin);
  const auto stride = static_cast<std::int64_t>(second->second) - static_cast<std::int64_t>(begin->second);
  const int lanes = second->first - begin->first;
  int runs = 1;  // of lanes whose bytes are one beside the other
  bool even = true;
  for (auto at = begin, last = begin; at != first.end(); last = at++) {
    if (at == begin) continue;
    even = even && (static_cast<std::int64_t>(at->second) - static_cast<std::int64_t>(begin->second)) * lanes ==
                       stride * (at->first - begin->first);
    runs += at->second != last->second + bytes_each;
  }
  if (!even) return runs <= 8 ? fmt::format(", in {} runs of consecutive bytes", runs) : shared ? "" : ", scattered";
  if (stride == 0) return ", all at one place";
  const std::int64_t each = stride / lanes;
  if (each == static_cast<std::int64_t>(bytes_each)) return ", one beside the other";
  if (each == -static_cast<std::int64_t>(bytes_each)) return ", one beside the other, backwards";
  std::string words = fmt::format(", {} bytes apart", spaced(static_cast<std::uint64_t>(std::abs(each))));
  if (shared && each % 128 == 0)
    words += ": a column, all in one bank";
  else if (shared && std::abs(each) > 4 && each % 4 == 0 && each / 4 % 2 != 0)
    words += ": each in a bank of its own";
  return words;
}

struct Traffic {
  std::set<int> registers, buffers;  ///< rows; buffers, -1 shared memory
  std::map<int, std::set<std::uint64_t>> bytes;
  std::uint64_t cell_bytes = 4;
  int values = 0;
  std::set<int> from_memory;  ///< of a store, what lanes read for it: buffers, -1 shared memory
};

std::string memory_name(const Summary& s, int buffer) {
  return buffer < 0 ? "shared memory" : buffer_name(s, buffer, "global memory");
}

/// A load or a store: by lane, where its part of memory is.
std::string memory_words(const Summary& s, const Movement& m, bool load) {
  Traffic t;
  for (const Flow& f : m.flows) {
    if (!moves(f)) continue;
    const MovementRow &from = row_of(m, f.from_row), &to = row_of(m, f.to_row);
    if (load ? is_register(from) || !is_register(to) : is_register(to)) continue;
    const MovementRow& memory = load ? from : to;
    const int column = load ? f.from_column : f.to_column;
    t.registers.insert(load ? f.to_row : is_register(from) ? f.from_row : -1);
    t.registers.erase(-1);
    if (!load && !is_register(from)) t.from_memory.insert(from.region == Region::shared ? -1 : from.buffer);
    t.buffers.insert(memory.region == Region::shared ? -1 : memory.buffer);
    t.bytes[f.lane].insert(byte_of(memory, column));
    t.cell_bytes = static_cast<std::uint64_t>(std::max(memory.cell_bits / 8, 1));
    ++t.values;
  }
  if (t.values == 0) return "";
  std::vector<std::string> memories;
  for (const int b : t.buffers) memories.push_back(memory_name(s, b));
  std::map<int, std::uint64_t> first;
  std::size_t each = 0;
  for (const auto& [lane, bytes] : t.bytes) first[lane] = *bytes.begin(), each = std::max(each, bytes.size());
  const std::string who = t.bytes.size() == 32 ? "Each lane" : counted(t.bytes.size(), "lane");
  const std::string pattern =
      t.buffers.size() == 1 ? pattern_words(first, t.cell_bytes * each, *t.buffers.begin() < 0) : "";
  const std::string what = each == 1 ? "one value" : counted(each, "value");
  const std::string names = names_of(s, m, t.registers);
  if (load)
    return fmt::format("{} load{} {} from {} into {}{}.", who, t.bytes.size() == 32 ? "s" : "", what,
                       fmt::join(memories, " and "), names, pattern);
  if (!t.from_memory.empty() && t.registers.empty()) {
    std::vector<std::string> sources;
    for (const int b : t.from_memory) sources.push_back(memory_name(s, b));
    return fmt::format("{} move{} {} from {} to {}{}.", who, t.bytes.size() == 32 ? "s" : "", what,
                       fmt::join(sources, " and "), fmt::join(memories, " and "), pattern);
  }
  return fmt::format("{} store{} {}{} to {}{}.", who, t.bytes.size() == 32 ? "s" : "", what,
                     names.empty() ? "" : " of " + names, fmt::join(memories, " and "), pattern);
}

/// Between registers.
std::string register_words(const Summary& s, const Moment& moment) {
  const Movement& m = *moment.movement;
  std::set<int> read, written, kept;
  int across = 0, within = 0, parts = 0;
  std::set<int> lanes;
  for (const Flow& f : m.flows) {
    if (!moves(f)) continue;
    const MovementRow &from = row_of(m, f.from_row), &to = row_of(m, f.to_row);
    if (!is_register(from) || !is_register(to)) continue;
    if (is_self_flow(f) && f.kind == Flow::Kind::moved) {
      kept.insert(f.to_row);
      continue;
    }
    read.insert(f.from_row), written.insert(f.to_row), lanes.insert(f.to_column);
    parts += f.kind == Flow::Kind::part;
    ++(f.from_column == f.to_column ? within : across);
  }
  if (written.empty()) return "";
  const std::string to = names_of(s, m, written), from = names_of(s, m, read);
  const std::string who = lanes.size() == 32 ? "Each lane" : counted(lanes.size(), "lane");
  const char* plural = lanes.size() == 32 ? "s" : "";
  if (!moment.statement_words.empty() && m.first_line != m.line && parts == 0) {
    // "Lines 5 to 7"; the name of a header stays as it is.
    const std::string lines = s.lines.range(m.first_line, m.line);
    return fmt::format("{} together exchange {}.", s.lines.place(m.first_line).file == 0 ? capitalised(lines) : lines,
                       moment.statement_words);
  }
  std::string exchange =
      moment.statement_words.empty() ? "" : fmt::format(" This completes the exchange {}.", moment.statement_words);
  if (across == 0 && parts > 0)
    return fmt::format("{} compute{} {} from {}. None crosses to another lane.", who, plural, to, from);
  if (across == 0)
    return fmt::format("{} rearrange{} its own values: {} from {}. None crosses to another lane.{}", who, plural, to,
                       from, exchange);
  const auto map = lane_map(m);
  const std::string rule = map ? lane_map_words(*map) : "";
  if (parts > 0)
    return rule.empty()
               ? fmt::format("{} combine{} values of several lanes.", who, plural)
               : fmt::format("{} combine{} a value of its own with one of another lane: {}.", who, plural, rule);
  if (!rule.empty()) {
    std::string words = fmt::format("{}: {}.{}", to, rule, exchange);
    return words;
  }
  return fmt::format("{}: {} come from another lane, {} stay in theirs.{}", to,
                     counted(static_cast<std::uint64_t>(across), "value"),
                     within + static_cast<int>(kept.size()) == 0 ? "none" : "the others", exchange);
}

}  // namespace

std::optional<LaneMap> lane_map(const Movement& m) {
  LaneMap map;
  map.from.fill(-1);
  bool across = false;
  std::array<int, 32> own{};
  for (const Flow& f : m.flows) {
    if (!moves(f) || !is_register(row_of(m, f.from_row)) || !is_register(row_of(m, f.to_row))) continue;
    if (f.from_column == f.to_column) {
      ++own[f.to_column];
      continue;
    }
    across = true;
    int& from = map.from[f.to_column];
    if (from >= 0 && from != f.from_column) return std::nullopt;
    from = f.from_column;
  }
  map.any = across;
  for (std::size_t lane = 0; lane < 32; ++lane)
    if (map.from[lane] < 0 && own[lane] > 0) map.from[lane] = static_cast<int>(lane);
  return map;
}

std::string lane_map_words(const LaneMap& map) {
  if (!map.any) return "";
  std::vector<int> lanes, others;
  for (int lane = 0; lane < 32; ++lane) {
    const int from = map.from[static_cast<std::size_t>(lane)];
    if (from >= 0) lanes.push_back(lane);
    if (from >= 0 && from != lane) others.push_back(lane);
  }
  const auto from = [&](int lane) { return map.from[static_cast<std::size_t>(lane)]; };
  const auto all = [&](const std::vector<int>& of, auto rule) {
    return std::ranges::all_of(of, [&](int lane) { return rule(lane); });
  };
  const int first = others.front(), x = first ^ from(first), d = from(first) - first;
  if (all(lanes, [&](int l) { return (l ^ from(l)) == x; })) {
    if (x == 31 && lanes.size() == 32) return "a reversal of the 32 lanes: lane l receives from lane 31 − l";
    if ((x & (x + 1)) == 0 && x > 1)
      return fmt::format("groups of {} lanes are reversed: lane l receives from lane l xor {}", x + 1, x);
    if ((x & (x - 1)) == 0)
      return fmt::format("lanes that are {} apart exchange: lane l receives from lane l xor {}", x, x);
    return fmt::format("lane l receives from lane l xor {}", x);
  }
  if (all(lanes, [&](int l) { return from(l) == from(first); }))
    return fmt::format("a broadcast: {} receive from lane {}", lanes.size() == 32 ? "all lanes" : "lanes", from(first));
  if (all(others, [&](int l) { return from(l) - l == d; }) && others.size() + 1 >= 2) {
    const std::string keep =
        others.size() < 32
            ? fmt::format("; {} their own value",
                          32 - others.size() == 1 ? "one lane keeps" : fmt::format("{} lanes keep", 32 - others.size()))
            : "";
    return fmt::format("a shift: lane l receives from lane l {} {}{}", d < 0 ? "−" : "+", std::abs(d), keep);
  }
  if (lanes.size() == 32 && all(lanes, [&](int l) { return ((l + d) & 31) == from(l); }))
    return fmt::format("a rotation: lane l receives from lane l {} {}, around the end", d < 0 ? "−" : "+", std::abs(d));
  if (lanes.size() != 32) return "";
  // Bits of the lane number, exchanged.
  const int zero = from(0);
  std::array<int, 5> column{};
  for (int b = 0; b < 5; ++b) column[static_cast<std::size_t>(b)] = from(1 << b) ^ zero;
  const auto linear = [&](int l) {
    int f = zero;
    for (int b = 0; b < 5; ++b)
      if ((l >> b & 1) != 0) f ^= column[static_cast<std::size_t>(b)];
    return f == from(l);
  };
  if (!all(lanes, linear)) return "";
  if (zero == 0 && column == std::array<int, 5>{16, 8, 4, 2, 1})
    return fmt::format("the bits of the lane number are reversed: lane {} receives from lane {} ({} from {})", 1, 16,
                       bits_of(1), bits_of(16));
  for (const int c : column)
    if (c == 0 || (c & (c - 1)) != 0) return "";
  std::vector<std::string> bits;
  for (int b = 4; b >= 0; --b) {
    int place = 0;
    while (column[static_cast<std::size_t>(place)] != 1 << b) ++place;
    bits.push_back(fmt::format("{}t{}", (zero >> b & 1) != 0 ? "~" : "", place));
  }
  return fmt::format("the bits of the lane number change places: lane (t4 t3 t2 t1 t0) receives from lane ({})",
                     fmt::join(bits, " "));
}

std::string movement_words(const Summary& s, const Moment& moment) {
  if (!moment.movement) return "The movement of this statement is being computed.";
  const Movement& m = *moment.movement;
  if (!m.refused.empty()) return "The values are not followed here: " + m.refused + ".";
  if (m.flows.empty() && moment.line > 0 &&
      next_statement_end(s, moment.step, static_cast<int>(moment.warp), moment.line))
    return "Nothing has arrived yet: " + s.lines.words(moment.line) + " writes at a later step.";
  if (m.flows.empty()) return "This statement moves no value that can be shown.";
  std::string words;
  for (const std::string& part : {memory_words(s, m, true), register_words(s, moment), memory_words(s, m, false)})
    if (!part.empty()) words += (words.empty() ? "" : " ") + part;
  if (!words.empty()) return words;
  std::set<int> kept, made;
  for (const Flow& f : m.flows) (f.kind == Flow::Kind::appeared ? made : kept).insert(f.to_row);
  if (!made.empty()) {
    const std::string names = names_of(s, m, made);
    return (names.empty() ? std::string("What is written comes") : names + (made.size() == 1 ? " comes" : " come")) +
           " from no cell that is shown: a constant, a number of the thread, or an instruction that is not followed.";
  }
  return "Every value stays in place.";
}

std::string movement_subject(const Summary& s, const Moment& moment) {
  if (!moment.movement || moment.movement->rows.empty()) return "";
  const Movement& m = *moment.movement;
  std::set<int> written;
  std::vector<std::string> names;
  for (int row = 0; row < static_cast<int>(m.rows.size()); ++row) {
    const MovementRow& r = row_of(m, row);
    if (!r.written) continue;
    if (is_register(r))
      written.insert(row);
    else if (const std::string name = memory_name(s, r.region == Region::shared ? -1 : r.buffer);
             std::ranges::find(names, name) == names.end())
      names.push_back(name);
  }
  if (const std::string registers = names_of(s, m, written); !registers.empty()) names.push_back(registers);
  return fmt::format("{} · warp {} · {}", fmt::join(names, ", "), m.warp,
                     m.first_line != m.line ? s.lines.range(m.first_line, m.line) : s.lines.words(m.line));
}

std::string movement_place_words(const Summary& s, const Movement& m, int row, int column) {
  const MovementRow& r = row_of(m, row);
  if (is_register(r)) return fmt::format("{} in lane {}", register_name(s, r.family, r.reg, r.part, r.parts), column);
  const std::uint64_t byte = byte_of(r, column);
  if (r.region == Region::shared) return fmt::format("bank {} of shared memory, byte {}", byte / 4 % 32, spaced(byte));
  const BufferInfo* info = buffer_of(s, r.buffer);
  if (info == nullptr) return fmt::format("byte {} of global memory", spaced(byte));
  return element_text(s, r.buffer, byte * 8 / static_cast<std::uint64_t>(std::max(info->element_bits, 1))) +
         " in global memory";
}

namespace {

std::string content_words(const Summary& s, const Movement& m, const MovementRow& r, const Cell& c) {
  if (!c.defined) return "nothing that is known";
  const BufferInfo* info = buffer_of(s, c.buffer);
  const std::string value = value_text(info == nullptr ? "" : info->element_type, r.cell_bits, c.value);
  if (has_identity(c)) return fmt::format("{} = {}", tag_text(s, c.buffer, c.element), value);
  if (c.set >= 0 && static_cast<std::size_t>(c.set) < m.sets.size())
    return fmt::format("{}, of {}", value, counted_set_words(s, m.sets[static_cast<std::size_t>(c.set)]));
  return value;
}

}  // namespace

std::string movement_flow_words(const Summary& s, const Movement& m, int flow) {
  const Flow& f = m.flows[static_cast<std::size_t>(flow)];
  const Cell& now = row_of(m, f.to_row).after[f.to_column];
  const std::string to = movement_place_words(s, m, f.to_row, f.to_column);
  if (f.kind == Flow::Kind::appeared)
    return fmt::format("{}: {}, from no cell that is shown", to, content_words(s, m, row_of(m, f.to_row), now));
  const Cell& was = row_of(m, f.from_row).before[f.from_column];
  const std::string from = movement_place_words(s, m, f.from_row, f.from_column);
  const std::string what = content_words(s, m, row_of(m, f.from_row), was);
  if (is_self_flow(f) && f.kind == Flow::Kind::moved) return fmt::format("{}\nstays: {}", to, what);
  std::string words = fmt::format("{}\nfrom {}\nto {}", what, from, to);
  const bool memory_only = !is_register(row_of(m, f.from_row)) && !is_register(row_of(m, f.to_row));
  if (memory_only) words += fmt::format(", by lane {}", f.lane);
  if (f.kind == Flow::Kind::part) words += fmt::format(", a part of {}", content_words(s, m, row_of(m, f.to_row), now));
  return words;
}

std::string movement_cell_words(const Summary& s, const Movement& m, int row, int column, bool after) {
  const MovementRow& r = row_of(m, row);
  const auto c = static_cast<std::size_t>(column);
  std::string words = movement_place_words(s, m, row, column);
  if (r.before[c].defined || !after) words += "\nbefore: " + content_words(s, m, r, r.before[c]);
  if (after) words += "\nafter: " + content_words(s, m, r, r.after[c]);
  std::vector<std::string> from, to;
  for (const Flow& f : m.flows) {
    if (!moves(f) || is_self_flow(f)) continue;
    if (after && f.to_row == row && f.to_column == column)
      from.push_back(movement_place_words(s, m, f.from_row, f.from_column));
    if (f.from_row == row && f.from_column == column) to.push_back(movement_place_words(s, m, f.to_row, f.to_column));
  }
  if (!from.empty())
    words += "\nfrom " + from.front() + (from.size() > 1 ? fmt::format(" and {} more", from.size() - 1) : "");
  if (!to.empty()) words += "\nto " + to.front() + (to.size() > 1 ? fmt::format(" and {} more", to.size() - 1) : "");
  return words;
}

std::string to_csv(const Summary& s, const Movement& m) {
  csv::Table table({"from", "to", "how", "lane", "element", "value"});
  constexpr const char* ways[] = {"moved", "part", "appeared"};
  for (const Flow& f : m.flows) {
    const MovementRow& to = row_of(m, f.to_row);
    const Cell& now = to.after[f.to_column];
    const bool known = moves(f);
    const Cell& what = known ? row_of(m, f.from_row).before[f.from_column] : now;
    table.row(known ? movement_place_words(s, m, f.from_row, f.from_column) : std::string(),
              movement_place_words(s, m, f.to_row, f.to_column), entry_for(ways, f.kind), std::to_string(f.lane),
              has_identity(what) ? tag_text(s, what.buffer, what.element) : std::string(),
              fmt::format("0x{:x}", what.value));
  }
  return table.text();
}

}  // namespace lanescope::views
