#include "tests/catalogue/cpu_models.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "kernels/layout/affine_map.h"

namespace lanescope::catalogue {

Word masked(const Word& a, std::uint32_t mask) {
  Word out;
  for (std::size_t k = 0; k < 32; ++k)
    if (mask >> k & 1) out.bits[k] = a.bits[k];
  return out;
}

Word either(const Word& a, const Word& b) {
  Word out = a;
  for (std::size_t k = 0; k < 32; ++k)
    if (b.bits[k] != Word::nothing) out.bits[k] = a.bits[k] == Word::nothing ? b.bits[k] : Word::clash;
  return out;
}

Word left(const Word& a, int by) {
  Word out;
  for (int k = by; k < 32; ++k) out.bits[static_cast<std::size_t>(k)] = a.bits[static_cast<std::size_t>(k - by)];
  return out;
}

Word right(const Word& a, int by) {
  Word out;
  for (int k = by; k < 32; ++k) out.bits[static_cast<std::size_t>(k - by)] = a.bits[static_cast<std::size_t>(k)];
  return out;
}

Word byte_perm(const Word& a, const Word& b, std::uint32_t selector) {
  Word out;
  for (std::size_t byte = 0; byte < 4; ++byte) {
    const std::uint32_t from = selector >> 4 * byte & 7;
    for (std::size_t k = 0; k < 8; ++k) out.bits[8 * byte + k] = (from < 4 ? a : b).bits[8 * (from % 4) + k];
  }
  return out;
}

Word loaded(int bit) {
  Word out;
  for (int k = 0; k < 32; ++k) out.bits[static_cast<std::size_t>(k)] = bit + k;
  return out;
}

namespace {

Held empty(int element_bits, std::size_t warps, std::size_t registers) {
  return {element_bits, std::vector<std::vector<Lanes>>(warps, std::vector<Lanes>(registers))};
}

/// One round of the warp transpose, statement by statement over all lanes.
void exchange(const HalfModel::Round& r, Lanes& y0, Lanes& y1) {
  Lanes tmp, received;
  for (unsigned lane = 0; lane < 32; ++lane)
    tmp[lane] = ((lane & r.send) != 0) != r.send_reversed ? y0[lane] : y1[lane];
  for (unsigned lane = 0; lane < 32; ++lane) received[lane] = tmp[lane ^ r.partner];
  for (unsigned lane = 0; lane < 32; ++lane)
    if (lane & r.first) y0[lane] = received[lane];
  for (unsigned lane = 0; lane < 32; ++lane)
    if (!(lane & r.second)) y1[lane] = received[lane];
}

}  // namespace

std::vector<Held> HalfModel::run() const {
  constexpr std::size_t warps = 16;
  Held x = empty(16, warps, 4), packed = x, exchanged = x;
  for (std::size_t w = 0; w < warps; ++w) {
    for (unsigned lane = 0; lane < 32; ++lane) {
      const int s =
          lane_stride * static_cast<int>(lane ^ static_cast<unsigned>(lane_flip)) + warp_stride * static_cast<int>(w);
      for (std::size_t r = 0; r < 4; ++r) x.words[w][r][lane] = loaded(16 * (s + offsets[r]));
      for (std::size_t r = 0; r < 4; ++r) {
        const Word &a = x.words[w][static_cast<std::size_t>(y[r].a)][lane],
                   &b = x.words[w][static_cast<std::size_t>(y[r].b)][lane];
        packed.words[w][r][lane] = byte_perm(a, b, y[r].highs ? 0x7632 : 0x5410);
      }
    }
    auto& after = exchanged.words[w] = packed.words[w];
    exchange(rounds[0], after[0], after[1]);
    exchange(rounds[1], after[2], after[3]);
  }
  return {x, packed, exchanged};
}

std::vector<Held> ByteModel::run() const {
  Held x = empty(8, 1, 2), y = x;
  for (std::size_t lane = 0; lane < 32; ++lane)
    for (std::size_t r = 0; r < 2; ++r)
      x.words[0][r][lane] = loaded(64 * static_cast<int>(lane) + 32 * static_cast<int>(r));
  for (std::size_t lane = 0; lane < 32; ++lane)
    for (std::size_t r = 0; r < 2; ++r)
      y.words[0][r][lane] = byte_perm(x.words[0][0][lane], x.words[0][1][lane], selectors[r]);
  return {x, y};
}

std::vector<Held> NibbleModel::run() const {
  Held x = empty(4, 1, 2), y = x;
  for (std::size_t lane = 0; lane < 32; ++lane) {
    const Word& x0 = x.words[0][0][lane] = loaded(32 * static_cast<int>(lane));
    const Word& x1 = x.words[0][1][lane] = loaded(32 * (static_cast<int>(lane) + stride));
    y.words[0][0][lane] = either(masked(x0, masks[0]), left(masked(x1, masks[1]), left_by));
    y.words[0][1][lane] = either(right(masked(x0, masks[2]), right_by), masked(x1, masks[3]));
  }
  return {x, y};
}

std::vector<Sighting> sightings(const Held& held) {
  std::vector<Sighting> out;
  const int parts = 32 / held.element_bits;
  for (std::size_t w = 0; w < held.words.size(); ++w)
    for (std::size_t r = 0; r < held.words[w].size(); ++r)
      for (std::size_t lane = 0; lane < 32; ++lane)
        for (int part = 0; part < parts; ++part) {
          const int first = held.words[w][r][lane].bits[static_cast<std::size_t>(part * held.element_bits)];
          bool whole = first >= 0 && first % held.element_bits == 0;
          for (int k = 1; k < held.element_bits; ++k)
            whole = whole &&
                    held.words[w][r][lane].bits[static_cast<std::size_t>(part * held.element_bits + k)] == first + k;
          Sighting s{{{part, static_cast<int>(r), static_cast<int>(lane), static_cast<int>(w), 0}}, std::nullopt};
          if (whole) s.element = static_cast<std::uint64_t>(first / held.element_bits);
          out.push_back(s);
        }
  return out;
}

namespace {

/// A logical bit of an element; nullopt when the buffer has no such axis.
std::optional<int> logical_bit(const source::BufferSpec& buffer, std::uint64_t element, const std::string& name) {
  const auto where = source::coordinates(buffer, element);
  const layout::LogicalBit bit = layout::split_name(name);
  for (std::size_t a = 0; a < buffer.axes.size(); ++a)
    if (buffer.axes[a].name == bit.axis && where) return static_cast<int>((*where)[a] >> bit.bit & 1);
  return std::nullopt;
}

std::uint64_t packed(const Place& place, const layout::PhysicalShape& shape) {
  std::uint64_t out = 0;
  for (int p = 0; p < layout::place_count; ++p)
    out |= static_cast<std::uint64_t>(place.at[static_cast<std::size_t>(p)])
           << shape.offset(static_cast<layout::Place>(p));
  return out;
}

bool affine(const std::vector<Sighting>& all) {
  std::map<std::uint64_t, std::uint64_t> at;
  const layout::PhysicalShape shape{{5, 4, 5, 5, 0}};
  for (const Sighting& s : all) {
    if (!s.element) return false;
    at[packed(s.place, shape)] = *s.element;
  }
  for (const auto& [place, element] : at) {
    std::uint64_t predicted = at.at(0);
    for (int k = 0; k < 19; ++k)
      if (place >> k & 1) predicted ^= at.at(0) ^ at.at(std::uint64_t{1} << k);
    if (predicted != element) return false;
  }
  return true;
}

}  // namespace

bool true_everywhere(const layout::Assignment& stated, const Held& held, const source::BufferSpec& buffer) {
  for (const Sighting& s : sightings(held)) {
    if (!s.element) return false;
    for (int p = 0; p < layout::place_count; ++p) {
      const auto& row = stated.row(static_cast<layout::Place>(p));
      for (std::size_t k = 0; row && k < row->size(); ++k) {
        int parity = (*row)[k].constant ? 1 : 0;
        for (const std::string& name : (*row)[k].names) parity ^= logical_bit(buffer, *s.element, name).value_or(0);
        if ((*row)[k].role == layout::Term::Role::sum && parity != (s.place.at[static_cast<std::size_t>(p)] >> k & 1))
          return false;
      }
    }
  }
  return true;
}

std::string objection(const std::optional<layout::Assignment>& found, const Held& held,
                      const source::BufferSpec& buffer) {
  const auto all = sightings(held);
  if (!found) return affine(all) ? "an affine map fits, and none was reported" : "";
  const auto map = layout::to_map(*found);
  if (!map) return "the reported rows are no map: " + layout::why_no_map(*found);
  for (const Sighting& s : all) {
    if (!s.element) return "some places hold no element, and an assignment was reported";
    const std::uint64_t predicted = map->map(packed(s.place, map->shape));
    for (const source::Axis& axis : buffer.axes)
      for (int k = 0; std::uint64_t{1} << k < axis.extent; ++k) {
        const std::string name = axis.extent == 2 ? axis.name : fmt::format("{}{}", axis.name, k);
        const auto at = std::ranges::find(map->names, name);
        if (at == map->names.end()) continue;
        if (static_cast<int>(predicted >> (at - map->names.begin()) & 1) != logical_bit(buffer, *s.element, name))
          return fmt::format("register {}, lane {}, warp {} holds element {}, not what was reported", s.place.at[1],
                             s.place.at[2], s.place.at[3], *s.element);
      }
  }
  return "";
}

}  // namespace lanescope::catalogue
