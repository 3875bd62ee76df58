#include "kernels/convert/place_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <variant>

#include "kernels/convert/bits.h"
#include "kernels/layout/f2_basis.h"
#include "kernels/layout/infer.h"

namespace lanescope::convert {
namespace {

using layout::Assignment;
using layout::PhysicalBit;
using layout::Place;

constexpr int most_register_bits = 8;

/// Bits of one assignment at their positions in a place of the conversion.
struct Side {
  Assignment rows;
  layout::PhysicalToLogical map;
  std::vector<int> position;  ///< of each packed physical bit
};

int at(const PlaceMap& m, PhysicalBit b) {
  switch (b.place) {
    case Place::simd:
      return b.index;
    case Place::reg:
      return m.slots + m.word_bits + b.index;
    case Place::thread:
      return m.lane(b.index);
    case Place::warp:
      return m.local() + 5 + b.index;
    case Place::block:
      return m.local() + 5 + m.warps + b.index;
  }
  return 0;
}

Expected<Side> side(const Assignment& rows, std::string_view name, DiagnosticCode code) {
  const auto map = layout::to_map(rows);
  if (!map)
    return failure(fmt::format("`{}`: {}", name, layout::why_no_map(rows)),
                   "write one logical bit, or a sum, for each place bit", code);
  return Side{.rows = rows, .map = *map, .position = {}};
}

const layout::Term& term(const Assignment& a, PhysicalBit b) {
  return (*a.row(b.place))[static_cast<std::size_t>(b.index)];
}

/// The logical bits of `side` in the order of `names`, as columns at the positions of the places.
struct Columns {
  std::vector<std::uint64_t> of;  ///< by position; 0 where there is no such bit
  std::uint64_t constant = 0;
};

std::uint64_t reordered(std::uint64_t element, const std::vector<int>& order) {
  std::uint64_t out = 0;
  for (std::size_t i = 0; i < order.size(); ++i)
    if ((element >> i & 1) != 0) out |= bit(order[i]);
  return out;
}

Columns columns_of(const Side& s, const PlaceMap& m, const std::vector<std::string>& names) {
  std::vector<int> order;
  for (const std::string& n : s.map.names)
    order.push_back(static_cast<int>(std::ranges::find(names, n) - names.begin()));
  Columns out{.of = std::vector<std::uint64_t>(static_cast<std::size_t>(m.total())),
              .constant = reordered(s.map.map.constant, order)};
  for (std::size_t i = 0; i < s.map.map.columns.size(); ++i)
    out.of[static_cast<std::size_t>(s.position[i])] = reordered(s.map.map.columns[i], order);
  return out;
}

Expected<void> check_names(const Side& from, const Side& to) {
  using enum DiagnosticCode;
  for (const auto& [one, other, has, lacks, code] : {std::tuple{&from, &to, "from", "to", bits_of_destination},
                                                     std::tuple{&to, &from, "to", "from", bits_of_source}}) {
    for (const std::string& n : one->map.names)
      if (std::ranges::find(other->map.names, n) == other->map.names.end())
        return failure(fmt::format("`{}` is in `{}` and not in `{}`", n, has, lacks),
                       "both must hold the same elements: add the bit to a row, or rename it", code);
  }
  return {};
}

/// Registers of the source in which every bit of an element is bit `pass` of its place.
std::vector<Register> labelled(const PlaceMap& map, int pass) {
  std::vector<Register> out(std::size_t{1} << map.registers);
  const std::uint32_t ones = map.element_bits >= 32 ? ~0U : (1U << map.element_bits) - 1;
  for (std::uint64_t place = 0; place < bit(map.local() + lane_bits); ++place) {
    if ((place >> pass & 1) == 0) continue;
    const std::uint64_t slot = place & (bit(map.slots) - 1), reg = place >> map.slots & (bit(map.registers) - 1);
    out[reg][place >> map.local()] |= ones << (slot * static_cast<std::uint64_t>(std::min(map.element_bits, 32)) & 31);
  }
  return out;
}

constexpr std::array beyond_the_lanes = {layout::Place::warp, layout::Place::block};

/// Whether what numbers warps and blocks says nothing about simd, register and thread bits.
bool warps_stand_alone(const layout::Assignment& from) {
  std::vector<std::string> here;
  for (const layout::Place place : {layout::Place::simd, layout::Place::reg, layout::Place::thread})
    for (const layout::Term& t : from.row(place).value_or(std::vector<layout::Term>{}))
      here.insert(here.end(), t.names.begin(), t.names.end());
  return std::ranges::all_of(beyond_the_lanes, [&](layout::Place place) {
    const auto& row = from.row(place);
    return !row || std::ranges::all_of(*row, [&](const layout::Term& t) {
      return std::ranges::none_of(t.names,
                                  [&](const std::string& n) { return std::ranges::find(here, n) != here.end(); });
    });
  });
}

}  // namespace

std::uint64_t PlaceMap::operator()(std::uint64_t place) const {
  std::uint64_t out = constant;
  for (std::size_t i = 0; i < columns.size(); ++i)
    if ((place >> i & 1) != 0) out ^= columns[i];
  return out;
}

std::uint64_t PlaceMap::element_at(std::uint64_t from_place) const {
  return from_constant ^ combine(from_columns, from_place);
}

bool PlaceMap::within_warps() const {
  const std::uint64_t outside = ~(bit(local() + 5) - 1);
  if ((constant & outside) != 0) return false;
  for (int i = 0; i < total(); ++i) {
    const std::uint64_t above = columns[static_cast<std::size_t>(i)] & outside;
    const bool own = i >= local() + 5;
    if (above != (own ? bit(i) : 0)) return false;
    if (own && columns[static_cast<std::size_t>(i)] != bit(i)) return false;
  }
  return true;
}

bool PlaceMap::is_permutation() const {
  std::uint64_t seen = 0;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (roles[i] == Role::copy && columns[i] == 0) continue;
    if (std::popcount(columns[i]) != 1 || (seen & columns[i]) != 0) return false;
    seen |= columns[i];
  }
  return true;
}

Expected<PlaceMap> place_map(const Assignment& from_rows, const Assignment& to_rows, int element_bits) {
  if (element_bits < 1 || element_bits > 128 || !std::has_single_bit(static_cast<unsigned>(element_bits)))
    return failure(fmt::format("elements of {} bits cannot be moved", element_bits),
                   "use 1, 2, 4, 8, 16, 32, 64 or 128 bits", DiagnosticCode::element_type);
  Assignment complete = to_rows;
  for (int p = 0; p < layout::place_count; ++p) {
    auto& row = complete.rows[static_cast<std::size_t>(p)];
    if (!row) row = from_rows.rows[static_cast<std::size_t>(p)];
  }
  Expected<Side> from = side(from_rows, "from", DiagnosticCode::bits_of_source),
                 to = side(complete, "to", DiagnosticCode::bits_of_destination);
  if (!from) return tl::unexpected<Diagnostics>(from.error());
  if (!to) return tl::unexpected<Diagnostics>(to.error());
  if (const Expected<void> same = check_names(*from, *to); !same) return tl::unexpected<Diagnostics>(same.error());

  PlaceMap m{.element_bits = element_bits};
  const auto bits = [&](Place p) { return std::pair{from_rows.bits(p), complete.bits(p)}; };
  const auto larger = [&](Place p) { return std::max(bits(p).first, bits(p).second); };
  m.slots = larger(Place::simd);
  m.word_bits = element_bits > 32 ? std::countr_zero(static_cast<unsigned>(element_bits / 32)) : 0;
  m.from_registers = bits(Place::reg).first + m.word_bits;
  m.to_registers = bits(Place::reg).second + m.word_bits;
  m.registers = std::max(m.from_registers, m.to_registers);
  m.warps = larger(Place::warp);
  m.blocks = larger(Place::block);
  if ((element_bits << m.slots) > 32 && m.slots > 0)
    return failure(
        fmt::format("{} simd bits of {}-bit elements do not fit into 32-bit registers", m.slots, element_bits),
        "a register holds 32 bits", DiagnosticCode::element_type);
  if (larger(Place::thread) > 5) return failure("a warp has 5 thread bits", "put the others into the warp row");
  if (m.registers > most_register_bits)
    return failure(fmt::format("{} register bits are too many", m.registers),
                   fmt::format("at most {}", most_register_bits));

  for (Side* s : {&*from, &*to})
    for (int i = 0; i < s->map.shape.total(); ++i) s->position.push_back(at(m, s->map.shape.bit_at(i)));
  const std::vector<std::string>& names = from->map.names;
  const Columns a = columns_of(*from, m, names), b = columns_of(*to, m, names);

  m.names = names;
  m.from_columns = a.of;
  m.from_constant = a.constant;

  layout::F2Basis<std::uint64_t> known;
  for (int i = 0; i < from->map.shape.total(); ++i) {
    const int position = from->position[static_cast<std::size_t>(i)];
    const layout::Term& t = term(from_rows, from->map.shape.bit_at(i));
    if (t.role == layout::Term::Role::junk) continue;
    m.from_bits |= bit(position);
    if (t.role == layout::Term::Role::unused) m.from_copies |= bit(position);
    known.insert({a.of[static_cast<std::size_t>(position)], bit(position)});
  }
  for (int w = 0; w < m.word_bits; ++w) m.from_bits |= bit(m.slots + w);
  const auto place_of = [&](std::uint64_t element) { return known.reduce({element, 0}).tag; };

  m.columns.assign(static_cast<std::size_t>(m.total()), 0);
  m.roles.assign(static_cast<std::size_t>(m.total()), Role::free);
  m.constant = place_of(a.constant ^ b.constant);
  for (int i = 0; i < to->map.shape.total(); ++i) {
    const auto position = static_cast<std::size_t>(to->position[static_cast<std::size_t>(i)]);
    const layout::Term& t = term(complete, to->map.shape.bit_at(i));
    if (t.role == layout::Term::Role::junk) continue;
    m.roles[position] = t.role == layout::Term::Role::unused ? Role::copy : Role::moves;
    m.columns[position] = place_of(b.of[position]);
  }
  for (int w = 0; w < m.word_bits; ++w) {
    const auto position = static_cast<std::size_t>(m.slots + w);
    m.roles[position] = Role::moves;
    m.columns[position] = bit(m.slots + w);
  }
  // Every place has its own lane, warp and block: where the source has a copy there, it is read.
  for (int i = m.local(); i < m.total(); ++i) {
    const auto position = static_cast<std::size_t>(i);
    if (m.roles[position] == Role::free)
      m.columns[position] = bit(i);
    else if ((m.from_copies & bit(i)) != 0)
      m.columns[position] |= bit(i);
  }
  for (int i = 0; i < m.slots; ++i) {
    const auto position = static_cast<std::size_t>(i);
    if (m.roles[position] == Role::copy && (m.from_copies & bit(i)) != 0) m.columns[position] = bit(i);
  }
  return m;
}

std::vector<std::optional<layout::Assignment>> states_of(const WordProgram& program, const PlaceMap& map,
                                                         const layout::Assignment& from) {
  std::vector<std::optional<layout::Assignment>> out(program.stages.size());
  if (map.word_bits > 0 || !warps_stand_alone(from)) return out;
  std::vector<std::vector<Register>> passes;
  for (int pass = 0; pass < map.local() + lane_bits; ++pass) passes.push_back(execute(program, labelled(map, pass)));
  for (std::size_t n = 0; n < program.stages.size(); ++n) {
    const std::vector<Value>& words = program.stages[n].words;
    if (words.empty() || !std::has_single_bit(words.size()) || std::ranges::find(words, nothing) != words.end())
      continue;
    layout::Question question{.shape = {}, .names = map.names, .observations = {}};
    question.shape.bits = {map.slots, std::countr_zero(words.size()), lane_bits, 0, 0};
    std::vector<layout::Observation> seen;
    for (std::uint64_t place = 0; place < bit(question.shape.total()); ++place) {
      const std::uint64_t slot = place & (bit(map.slots) - 1);
      const Value v = words[place >> map.slots & (words.size() - 1)];
      const std::uint64_t lane = place >> (question.shape.total() - lane_bits);
      std::uint64_t source = 0;
      for (int pass = 0; pass < static_cast<int>(passes.size()); ++pass) {
        const std::uint32_t word = passes[index(pass)][index(v)][lane];
        if ((word >> (slot * static_cast<std::uint64_t>(std::min(map.element_bits, 32)) & 31) & 1) != 0)
          source |= bit(pass);
      }
      seen.push_back({place, map.element_at(source)});
    }
    question.observations = seen;
    const auto answer = layout::infer(question);
    const auto* found = std::get_if<layout::Inference>(&answer);
    if (found == nullptr) continue;
    out[n] = found->assignment;
    for (const layout::Place place : beyond_the_lanes) out[n]->row(place) = from.row(place);
  }
  return out;
}

PlaceCheck::PlaceCheck(const PlaceMap& map, int warps) : map_(map), warps_(warps) {
  const auto element = static_cast<std::uint32_t>(std::min(map.element_bits, 32));
  std::uint64_t free = 0;
  for (int i = 0; i < map.total(); ++i)
    if (map.roles[index(i)] == Role::free) free |= bit(i);
  const auto part = [&](std::uint64_t place, int first, int bits) {
    return static_cast<std::uint32_t>(place >> first & (bit(bits) - 1));
  };
  const int thread_bits = lane_bits + warps;
  for (std::uint64_t place = 0; place < bit(map.local() + thread_bits); ++place) {
    if ((place & free) != 0) continue;
    const std::uint64_t there = map(place);
    places_.push_back({part(place, map.slots, map.registers), part(place, map.local(), thread_bits),
                       part(place, 0, map.slots) * element, part(there, map.slots, map.registers),
                       part(there, map.local(), thread_bits), part(there, 0, map.slots) * element});
  }
}

std::vector<Register> PlaceCheck::inputs(int pass, std::uint64_t warp) const {
  const std::uint64_t copied_threads = map_.from_copies >> map_.local();
  const std::uint64_t copied_registers = map_.from_copies >> map_.slots & (bit(map_.registers) - 1);
  const std::uint64_t copied_slots = map_.from_copies & (bit(map_.slots) - 1);
  const auto element = static_cast<std::uint64_t>(std::min(map_.element_bits, 32));
  // A bit's number: the bit of the register lowest, then lane, warp and register.
  const int thread_bits = lane_bits + warps_, in_word = lane_bits;
  std::vector<Register> out(std::size_t{1} << map_.registers);
  for (std::uint64_t r = 0; r < out.size(); ++r) {
    if (pass < in_word) {
      std::uint32_t pattern = 0;
      for (std::uint64_t b = 0; b < 32; ++b) {
        const std::uint64_t number = map_.slots == 0 ? b : (b / element & ~copied_slots) * element + b % element;
        pattern |= static_cast<std::uint32_t>(number >> pass & 1) << b;
      }
      out[r] = same_in_all_lanes(pattern);
      continue;
    }
    for (std::uint64_t lane = 0; lane < lanes; ++lane) {
      const std::uint64_t thread = (warp << lane_bits | lane) & ~copied_threads;
      const std::uint64_t number = (r & ~copied_registers) << thread_bits | thread;
      out[r][lane] = has(number, pass - in_word) ? ~0U : 0;
    }
  }
  return out;
}

std::string PlaceCheck::wrong(std::span<const std::vector<Register>> inputs,
                              std::span<const std::vector<Register>> outputs) const {
  const std::uint32_t mask = map_.element_bits >= 32 ? ~0U : (1U << map_.element_bits) - 1;
  for (const Comparison& c : places_) {
    const std::vector<Register>& out = outputs[c.thread >> lane_bits];
    const std::uint32_t wanted = inputs[c.from_thread >> lane_bits][c.from_reg][c.from_thread & (lanes - 1)];
    if (c.reg >= out.size() || ((out[c.reg][c.thread & (lanes - 1)] >> c.shift ^ wanted >> c.from_shift) & mask) != 0)
      return fmt::format("register {}, bit {}, thread {} does not hold what register {}, bit {}, thread {} had", c.reg,
                         c.shift, c.thread, c.from_reg, c.from_shift, c.from_thread);
  }
  return {};
}

}  // namespace lanescope::convert
