#include "kernels/claims/actual.h"

#include <algorithm>
#include <bit>
#include <map>

#include <fmt/format.h>

#include "kernels/base/enum_size.h"
#include "kernels/base/set_bits.h"

namespace lanescope::claims {

using layout::Place;

namespace {

int width(std::uint64_t largest) { return std::bit_width(largest); }

struct Raw {
  PlaceAt at;
  std::uint64_t logical = 0;
};

/// Calls `take(place, held, words, first bit)` for every place of the snapshot whose lane is active.
void each_word_place(const Snapshot& s, const Geometry& g, Reader& reader, auto take) {
  const int words = g.words_per_unit();
  std::array<trace::WordTag, 8> value{};
  for (const Snapshot::Warp& w : s.warps)
    for (std::size_t r = 0; r < g.units.size(); ++r) {
      const Geometry::Unit unit = g.units[r];
      std::uint32_t mask = ~0u;
      for (int n = 0; n < words; ++n) mask &= w.masks[static_cast<std::size_t>(unit.word + n)];
      for (const std::size_t lane : set_bits(mask)) {
        for (int n = 0; n < words; ++n)
          value[static_cast<std::size_t>(n)] = w.tags[static_cast<std::size_t>(unit.word + n)][lane];
        for (int part = 0; part < g.parts(); ++part) {
          const int bit = unit.first_bit + part * g.grain_bits;
          const auto span = std::span(value).subspan(static_cast<std::size_t>(bit / 32),
                                                     static_cast<std::size_t>((bit % 32 + g.grain_bits + 31) / 32));
          take(PlaceAt{s.block, w.warp, static_cast<int>(r), static_cast<int>(lane), part},
               reader.read(span, bit % 32, g.grain_bits), span, bit % 32);
        }
      }
    }
}

void each_place(const Snapshot& s, const Geometry& g, Reader& reader, auto take) {
  each_word_place(s, g, reader, [&](const PlaceAt& at, const Held& held, auto, int) { take(at, held); });
}

std::array<std::uint64_t, layout::place_count> coordinates_of(const PlaceAt& at) {
  return {static_cast<std::uint64_t>(at.part), static_cast<std::uint64_t>(at.reg), static_cast<std::uint64_t>(at.lane),
          at.warp, at.block};
}

bool kept(const PlaceAt& at, const SeenOptions& o) {
  if (o.only == nullptr || o.stated == nullptr) return true;
  const auto here = coordinates_of(at), there = coordinates_of(*o.only);
  for (std::size_t p = 0; p < here.size(); ++p)
    if (!o.stated->rows[p] && here[p] != there[p]) return false;
  return true;
}

using Coordinates = std::array<std::uint64_t, layout::place_count>;

constexpr std::size_t most_empty_places = std::size_t{1} << 16;

std::uint64_t packed_place(const Coordinates& c, const layout::PhysicalShape& shape) {
  std::uint64_t place = 0;
  for (std::size_t p = 0; p < c.size(); ++p) {
    const std::uint64_t mask = (std::uint64_t{1} << shape.bits[p]) - 1;
    place |= (c[p] & mask) << shape.offset(static_cast<Place>(p));
  }
  return place;
}

/// Which bits of places are 1 only where there is no element, and which empty places they do not account for.
void account_for_skipped(Seen& seen, const std::vector<PlaceAt>& skipped, const Coordinates& ones) {
  for (const PlaceAt& at : skipped) {
    const Coordinates c = coordinates_of(at);
    bool accounted = false;
    for (std::size_t p = 0; p < c.size(); ++p) {
      const std::uint64_t beyond = c[p] & ~ones[p];
      accounted = accounted || beyond != 0;
      const std::uint64_t shown = beyond & ((std::uint64_t{1} << seen.shape.bits[p]) - 1);
      seen.junk |= shown << seen.shape.offset(static_cast<Place>(p));
    }
    seen.unaccounted += accounted ? 0 : 1;
  }
}

/// Names of the claim first, so that rows come out in its terms; then all that varies.
void choose_names(Seen& seen, const LogicalBits& logical, const layout::Assignment* stated, std::uint64_t varying) {
  std::uint64_t taken = 0;
  const auto add = [&](int bit, const std::string& name) {
    if (bit < 0 || bit >= logical.total() || (taken >> bit & 1) != 0) return;
    taken |= std::uint64_t{1} << bit;
    seen.names.push_back(name);
    seen.logical_bits.push_back(bit);
  };
  if (stated != nullptr)
    for (const std::string& name : layout::logical_bits(*stated)) add(logical.bit_of(name), name);
  for (const std::size_t bit : set_bits(varying)) add(bit, logical.name_of(bit));
}

}  // namespace

Seen observe(std::span<const Snapshot> snapshots, const Geometry& geometry, int buffer, const LogicalBits& logical,
             Reader& reader, const SeenOptions& options) {
  Seen seen;
  std::vector<Raw> raw;
  std::vector<PlaceAt> skipped;
  Coordinates largest{}, ones{};
  std::uint64_t varying = 0;
  for (const Snapshot& s : snapshots)
    each_place(s, geometry, reader, [&](const PlaceAt& at, const Held& held) {
      if (!kept(at, options)) return;
      const auto packed = held.one_element() && held.buffer == buffer ? logical.pack(held.element) : std::nullopt;
      if (!packed) {
        skipped.push_back(at);
        return;
      }
      seen.computed = seen.computed || held.kind == Held::Kind::computed;
      const auto c = coordinates_of(at);
      for (std::size_t p = 0; p < c.size(); ++p) {
        largest[p] = std::max(largest[p], c[p]);
        ones[p] |= c[p];
      }
      if (!raw.empty()) varying |= *packed ^ raw.front().logical;
      raw.push_back({at, *packed});
    });
  const bool narrowed = options.only != nullptr && options.stated != nullptr;
  const auto absent = [&](Place p) { return narrowed && !options.stated->row(p); };
  seen.shape.bits = {absent(Place::simd) ? 0 : geometry.simd_bits(), absent(Place::reg) ? 0 : geometry.register_bits(),
                     absent(Place::thread) ? 0 : 5, absent(Place::warp) ? 0 : width(largest[3]),
                     options.blocks ? width(largest[4]) : 0};
  seen.skipped = skipped.size();
  account_for_skipped(seen, skipped, ones);
  choose_names(seen, logical, options.stated, varying);
  if (!raw.empty()) seen.constant = raw.front().logical & ~varying;
  for (const PlaceAt& at : skipped) {
    if (seen.empty_places.size() >= most_empty_places) break;
    seen.empty_places.push_back(packed_place(coordinates_of(at), seen.shape));
  }
  seen.observations.reserve(raw.size());
  for (const Raw& r : raw) {
    const auto c = coordinates_of(r.at);
    layout::Observation o{.place = packed_place(c, seen.shape)};
    for (std::size_t n = 0; n < seen.logical_bits.size(); ++n)
      o.element |= (r.logical >> seen.logical_bits[n] & 1) << n;
    seen.observations.push_back(o);
  }
  return seen;
}

layout::Assignment without_empty_rows(layout::Assignment a) {
  for (auto& row : a.rows)
    if (row && row->empty()) row.reset();
  return a;
}

namespace {

/// Whether every observed element has this sum at this physical bit (`place_mask` 0: a bit that is always 0).
bool sum_is_true(const layout::Term& t, std::uint64_t place_mask, const Seen& seen) {
  std::uint64_t names = 0;
  for (const std::string& name : t.names) {
    const auto at = std::ranges::find(seen.names, name);
    if (at == seen.names.end()) return false;
    names ^= std::uint64_t{1} << (at - seen.names.begin());
  }
  return std::ranges::all_of(seen.observations, [&](const layout::Observation& o) {
    return (((std::popcount(o.element & names) & 1) != 0) != t.constant) == ((o.place & place_mask) != 0);
  });
}

/// Bits that are 1 only where no element is: inference, which sees none of those places, takes them for unused.
void name_junk(layout::Assignment& real, const Seen& seen) {
  for (int packed = 0; packed < seen.shape.total(); ++packed) {
    if ((seen.junk >> packed & 1) == 0) continue;
    const layout::PhysicalBit bit = seen.shape.bit_at(packed);
    auto& row = real.row(bit.place);
    if (row && bit.index < static_cast<int>(row->size()))
      (*row)[static_cast<std::size_t>(bit.index)] = {.role = layout::Term::Role::junk, .names = {}, .constant = false};
  }
}

/// Where a stated term is true, the real row says the same in the same words (several sums can be true at once).
void prefer_stated(layout::Assignment& real, const layout::Assignment& stated, const Seen& seen,
                   const layout::Inference& inference) {
  for (int p = 0; p < layout::place_count; ++p) {
    const Place place = static_cast<Place>(p);
    auto& row = real.row(place);
    if (!stated.row(place)) {
      row.reset();
      continue;
    }
    if (!row) row.emplace();
    const int have = seen.shape.bits[static_cast<std::size_t>(p)];
    for (int bit = 0; bit < stated.bits(place); ++bit) {
      const layout::Term& said = (*stated.row(place))[static_cast<std::size_t>(bit)];
      if (said.role == layout::Term::Role::unsaid) continue;
      const int packed = seen.shape.offset(place) + bit;
      const bool exists = bit < have;
      // A warp or block bit that never was 1 in this run is as stated when nothing contradicts it.
      const bool may_be_unseen = place == Place::warp || place == Place::block;
      if (!exists && !may_be_unseen) continue;
      bool agrees = false;
      const bool junk = exists && (seen.junk >> packed & 1) != 0;
      if (said.role == layout::Term::Role::sum) {
        agrees = !junk && sum_is_true(said, exists ? std::uint64_t{1} << packed : 0, seen);
      } else if (said.role == layout::Term::Role::unused) {
        agrees = !exists || (!junk && inference.map.columns[static_cast<std::size_t>(packed)] == 0);
      } else {
        agrees = !exists || std::ranges::none_of(seen.observations, [&](const layout::Observation& o) {
          return (o.place >> packed & 1) != 0;
        });
      }
      if (!agrees) continue;
      while (static_cast<int>(row->size()) <= bit)
        row->push_back({.role = layout::Term::Role::unused, .names = {}, .constant = false});
      (*row)[static_cast<std::size_t>(bit)] = said;
    }
  }
}

/// Whether all places without an element are places that the map gives no element to, an axis being shorter.
bool empty_places_are_outside(const Seen& seen, const LogicalBits& logical, const layout::AffineMap& map) {
  if (!logical.ragged() || seen.skipped > seen.empty_places.size()) return false;
  return std::ranges::none_of(seen.empty_places, [&](std::uint64_t place) {
    const std::uint64_t element = map(place);
    std::uint64_t packed = seen.constant;
    for (std::size_t n = 0; n < seen.logical_bits.size(); ++n) packed |= (element >> n & 1) << seen.logical_bits[n];
    return logical.inside(packed);
  });
}

/// Unnamed logical bits that physical bits of stated rows change.
std::string also_changed(const layout::Assignment& stated, const Seen& seen, const layout::Inference& inference) {
  const std::vector<std::string> named = layout::logical_bits(stated);
  std::string out;
  for (int p = 0; p < seen.shape.total(); ++p) {
    const layout::PhysicalBit bit = seen.shape.bit_at(p);
    if (!stated.row(bit.place)) continue;
    for (const std::size_t name_index : set_bits(inference.map.columns[static_cast<std::size_t>(p)])) {
      const std::string& name = seen.names[name_index];
      if (std::ranges::find(named, name) != named.end()) continue;
      out += fmt::format("{}{} changes {}, which is in no row", out.empty() ? "" : "; ", to_string(bit), name);
    }
  }
  return out;
}

}  // namespace

Actual actual_against(const layout::Assignment& stated, std::span<const Snapshot> snapshots, const Geometry& geometry,
                      int buffer, const LogicalBits& logical, Reader& reader, const std::optional<PlaceAt>& failed) {
  const bool blocks = stated.row(Place::block).has_value();
  Actual out;
  // First over all places; where these fit no map, the rows that the claim leaves out may be to blame: hold them fixed.
  for (const PlaceAt* only : {static_cast<const PlaceAt*>(nullptr), failed ? &*failed : nullptr}) {
    const Seen seen = observe(snapshots, geometry, buffer, logical, reader, {&stated, blocks, only});
    if (seen.observations.empty()) {
      out.words = "none of the places holds exactly one element";
      return out;
    }
    if (seen.unaccounted != 0 && !logical.ragged()) {
      out.words = fmt::format("no affine map: {} of {} places do not hold exactly one element of the array",
                              seen.skipped, seen.skipped + seen.observations.size());
      if (only == nullptr && failed) continue;
      return out;
    }
    const auto answer = layout::infer({seen.shape, seen.names, seen.observations});
    if (const auto* wrong = std::get_if<layout::Counterexample>(&answer)) {
      out.words = "no affine map: " + wrong->words;
      if (only == nullptr && failed) continue;
      return out;
    }
    const auto& inference = std::get<layout::Inference>(answer);
    if (seen.unaccounted != 0 && !empty_places_are_outside(seen, logical, inference.map)) {
      out.words = fmt::format("no affine map: {} of {} places do not hold exactly one element of the array",
                              seen.skipped, seen.skipped + seen.observations.size());
      if (only == nullptr && failed) continue;
      return out;
    }
    out.assignment = inference.assignment;
    name_junk(*out.assignment, seen);
    out.also = also_changed(stated, seen, inference);
    prefer_stated(*out.assignment, stated, seen, inference);
    out.words = layout::print_line(*out.assignment);
    if (seen.computed) out.words += " (values computed from these elements)";
    return out;
  }
  return out;
}

Actual actual_of_sums(const layout::Assignment& stated, std::span<const Snapshot> snapshots, const Plan& plan,
                      Reader& reader) {
  Actual out;
  const std::vector<std::string>& names = plan.sums->names();
  struct Found {
    Coordinates at;
    std::uint64_t values = 0;
  };
  std::vector<Found> found;
  std::uint64_t open = 0;
  Coordinates largest{};
  for (const Snapshot& s : snapshots)
    each_word_place(s, plan.geometry, reader, [&](const PlaceAt& at, const Held& held, auto words, int bit) {
      if (held.kind == Held::Kind::nothing) return;
      Found f{coordinates_of(at), 0};
      const Commons::Bits bits = plan.commons->at(words, bit, plan.geometry.grain_bits);
      for (std::size_t n = 0; n < names.size() && n < 64; ++n) {
        const std::optional<bool> v = plan.sums->value(n, bits);
        open |= v ? 0 : std::uint64_t{1} << n;
        f.values |= v == true ? std::uint64_t{1} << n : 0;
      }
      for (std::size_t p = 0; p < largest.size(); ++p) largest[p] = std::max(largest[p], f.at[p]);
      found.push_back(f);
    });
  Seen seen;
  const auto bits_of = [&](Place p, int bits) { return stated.row(p) ? bits : 0; };
  seen.shape.bits = {bits_of(Place::simd, plan.geometry.simd_bits()),
                     bits_of(Place::reg, plan.geometry.register_bits()), bits_of(Place::thread, 5),
                     bits_of(Place::warp, width(largest[3])), bits_of(Place::block, width(largest[4]))};
  for (std::size_t n = 0; n < names.size() && n < 64; ++n)
    if ((open >> n & 1) == 0) seen.names.push_back(names[n]);
  if (found.empty() || seen.names.empty()) {
    out.words = "the elements of a value do not agree in the bits that the rows name";
    return out;
  }
  for (const Found& f : found) {
    layout::Observation o{.place = packed_place(f.at, seen.shape), .element = 0};
    int to = 0;
    for (std::size_t n = 0; n < names.size() && n < 64; ++n)
      if ((open >> n & 1) == 0) o.element |= (f.values >> n & 1) << to++;
    seen.observations.push_back(o);
  }
  const auto answer = layout::infer({seen.shape, seen.names, seen.observations});
  if (const auto* wrong = std::get_if<layout::Counterexample>(&answer)) {
    out.words = "no affine map: " + wrong->words;
    return out;
  }
  const auto& inference = std::get<layout::Inference>(answer);
  out.assignment = inference.assignment;
  prefer_stated(*out.assignment, stated, seen, inference);
  out.words = layout::print_line(*out.assignment) + " (of sums of such elements)";
  return out;
}

std::string in_words(const PlaceAt& at, const Geometry& geometry) {
  std::string out = fmt::format("warp {}, thread {}, register {}", at.warp, at.lane, at.reg);
  if (geometry.parts() > 1) out += fmt::format(", simd {}", at.part);
  return out;
}

std::string row_count_words(Place row, int bits) {
  static constexpr std::string_view units[] = {"simd parts", "registers", "threads", "warps", "blocks"};
  return fmt::format("{} bit{}, {} {}", bits, bits == 1 ? "" : "s", std::uint64_t{1} << bits, entry_for(units, row));
}

std::string in_words(const Failure& f, const Plan& plan, const source::Source& source) {
  std::string place = in_words(f.at, plan.geometry);
  const auto buffer_name = [&](int b) {
    return b >= 0 && static_cast<std::size_t>(b) < source.header.buffers.size()
               ? source.header.buffers[static_cast<std::size_t>(b)].name
               : fmt::format("buffer {}", b);
  };
  switch (f.what) {
    case Failure::What::elsewhere:
    case Failure::What::varies:
      return fmt::format("{} holds element {}", place, plan.logical->in_words(f.logical));
    case Failure::What::sum:
      if (f.name.empty()) return place + " holds a sum of elements that belong elsewhere";
      return fmt::format("{} holds a sum of elements whose {} is {}", place, f.name, f.name_is ? 1 : 0);
    case Failure::What::nothing:
      return fmt::format("{} holds no element of the array", place);
    case Failure::What::torn:
      return f.held.count > 1 ? fmt::format("{} holds parts of {} elements", place, f.held.count)
                              : fmt::format("{} holds only part of its element", place);
    case Failure::What::hole:
      return fmt::format("{} holds element {} of {}, which is outside of its axes", place, f.held.element,
                         buffer_name(f.held.buffer));
    case Failure::What::beyond:
      return fmt::format("{} holds element {}, but the {} row has only {}", place, plan.logical->in_words(f.logical),
                         layout::row_name(f.row),
                         row_count_words(f.row, plan.relation.shape().bits[static_cast<std::size_t>(f.row)]));
    case Failure::What::buffers:
      return fmt::format("{} holds an element of {}, and other places hold elements of {}: the claim mixes buffers",
                         place, buffer_name(f.held.buffer), buffer_name(plan.buffer));
    case Failure::What::missing:
      return fmt::format("the {} row names {}, but there are fewer", layout::row_name(f.row),
                         row_count_words(f.row, plan.relation.shape().bits[static_cast<std::size_t>(f.row)]));
  }
  return place;
}

std::string missing_element(const Snapshot& snapshot, const Plan& plan, Reader& reader) {
  const Relation& relation = plan.relation;
  std::vector<std::uint64_t> there;
  std::map<std::uint64_t, std::uint64_t> residual_of;  // warp -> residual, where the claim has no warp row
  std::vector<std::pair<std::uint64_t, std::uint64_t>> expected;
  // Parts of the array may be elsewhere.
  if (!relation.has(Place::reg) || !relation.has(Place::thread) || relation.unsaid() != 0) return {};
  each_place(snapshot, plan.geometry, reader, [&](const PlaceAt& at, const Held& held) {
    const auto c = coordinates_of(at);
    std::uint64_t place = 0;
    for (std::size_t p = 0; p < c.size(); ++p) {
      const std::uint64_t mask = (std::uint64_t{1} << relation.shape().bits[p]) - 1;
      place |= (c[p] & mask) << relation.shape().offset(static_cast<Place>(p));
    }
    const std::uint64_t group = relation.has(Place::warp) ? 0 : at.warp;
    if ((place & relation.junk()) != 0) return;
    expected.emplace_back(group, place);
    if (!held.one_element() || held.buffer != plan.buffer) return;
    const auto logical = plan.logical->pack(held.element);
    if (!logical) return;
    residual_of.try_emplace(group, *logical & relation.residual());
    there.push_back(*logical);
  });
  std::ranges::sort(there);
  for (const auto& [group, place] : expected) {
    const auto residual = residual_of.find(group);
    if (residual == residual_of.end()) continue;
    const auto element = relation.element_at(place, residual->second);
    if (element && !std::ranges::binary_search(there, *element))
      return fmt::format("element {} is in no register", plan.logical->in_words(*element));
  }
  return {};
}

}  // namespace lanescope::claims
