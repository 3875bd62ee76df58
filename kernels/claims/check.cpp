#include "kernels/claims/check.h"

#include <algorithm>
#include <bit>
#include <tuple>

#include "kernels/base/set_bits.h"

namespace lanescope::claims {

using layout::Place;

Snapshot snapshot_of(const Group& group, int words) {
  Snapshot s{.block = group.block, .iteration = group.iteration, .warps = {}};
  const auto count = static_cast<std::size_t>(words);
  std::array<int, 256> index{};
  index.fill(-1);
  for (const WordRecord& r : group.records) {
    int& at = index[r.warp];
    if (at < 0) {
      at = static_cast<int>(s.warps.size());
      s.warps.push_back(
          {r.warp, std::vector<LaneTags>(count), std::vector<std::uint32_t>(count), std::vector<WordRecord>(count)});
    }
    Snapshot::Warp& w = s.warps[static_cast<std::size_t>(at)];
    const LaneTags tags = group.tags.get(r.tags);
    if (w.masks[r.slot] == 0) {
      w.tags[r.slot] = tags;
    } else {
      for (const std::size_t lane : set_bits(r.mask)) w.tags[r.slot][lane] = tags[lane];
    }
    w.masks[r.slot] |= r.mask;
    w.records[r.slot] = r;
  }
  std::ranges::sort(s.warps, {}, &Snapshot::Warp::warp);
  return s;
}

int first_buffer(const Snapshot& snapshot, Reader& reader) {
  for (const Snapshot::Warp& w : snapshot.warps)
    for (std::size_t word = 0; word < w.tags.size(); ++word)
      for (const std::size_t lane : set_bits(w.masks[word])) {
        const int buffer = reader.buffer_of(w.tags[word][lane]);
        if (buffer >= 0) return buffer;
      }
  return -1;
}

namespace {

/// One snapshot under one plan. The loops go warp, register, lane, part; each place costs one look-up per 8 logical bits.
class Checker {
 public:
  Checker(const Snapshot& s, const Plan& plan, Reader& reader, Classes& classes, Tally& tally)
      : s_(s), plan_(plan), reader_(reader), classes_(classes), tally_(tally) {
    const layout::PhysicalShape& shape = plan.relation.shape();
    for (std::size_t p = 0; p < layout::place_count; ++p) {
      offset_[p] = shape.offset(static_cast<Place>(p));
      limit_[p] = plan.relation.has(static_cast<Place>(p)) ? std::uint64_t{1} << shape.bits[p] : ~std::uint64_t{0};
      keep_[p] = plan.relation.has(static_cast<Place>(p)) ? limit_[p] - 1 : 0;
    }
  }

  void run() {
    ++tally_.instances;
    for (const Snapshot::Warp& w : s_.warps)
      for (std::size_t r = 0; r < plan_.geometry.units.size(); ++r) one_unit(w, static_cast<int>(r));
  }

 private:
  std::uint64_t coordinate(Place p, std::uint64_t value) const {
    return (value & keep_[static_cast<std::size_t>(p)]) << offset_[static_cast<std::size_t>(p)];
  }

  void one_unit(const Snapshot::Warp& w, int r) {
    const Geometry& g = plan_.geometry;
    const Geometry::Unit unit = g.units[static_cast<std::size_t>(r)];
    const int words = g.words_per_unit();
    std::uint32_t mask = ~0u;
    for (int n = 0; n < words; ++n) mask &= w.masks[static_cast<std::size_t>(unit.word + n)];
    const int parts = g.parts();
    tally_.inactive_places += static_cast<std::uint64_t>(32 - std::popcount(mask)) * static_cast<unsigned>(parts);
    const std::uint64_t base = coordinate(Place::reg, static_cast<std::uint64_t>(r)) | coordinate(Place::warp, w.warp) |
                               coordinate(Place::block, s_.block);
    std::array<trace::WordTag, 8> value{};
    for (const std::size_t lane : set_bits(mask)) {
      for (int n = 0; n < words; ++n)
        value[static_cast<std::size_t>(n)] = w.tags[static_cast<std::size_t>(unit.word + n)][lane];
      const std::uint64_t place = base | coordinate(Place::thread, lane);
      for (int part = 0; part < parts; ++part) {
        const int bit = unit.first_bit + part * g.grain_bits;
        const auto span = std::span(value).subspan(static_cast<std::size_t>(bit / 32),
                                                   static_cast<std::size_t>((bit % 32 + g.grain_bits + 31) / 32));
        one_place({s_.block, w.warp, r, static_cast<int>(lane), part},
                  place | coordinate(Place::simd, static_cast<std::uint64_t>(part)), span, bit % 32);
      }
    }
  }

  void one_place(const PlaceAt& at, std::uint64_t place, std::span<const trace::WordTag> words, int bit) {
    const Relation& relation = plan_.relation;
    if ((place & relation.junk()) != 0) return;
    if (!plan_.joint && relation.outside(place) && !beyond(at)) {
      ++tally_.outside_places;
      return;
    }
    const Held held = reader_.read(words, bit, plan_.geometry.grain_bits);
    if (held.kind == Held::Kind::nothing) {
      nothing_at(at, held);
      return;
    }
    ++tally_.places;
    ++tally_.with_data;
    if (held.kind == Held::Kind::mixed || (plan_.joint && held.kind != Held::Kind::torn))
      return sum_at(at, place, words, bit, held);
    if (held.kind == Held::Kind::torn) return void(note(tally_.failure, Failure::What::torn, at, held));
    tally_.computed = tally_.computed || held.kind == Held::Kind::computed;
    Classes::Class& c = class_of(at, place);
    if (held.buffer != plan_.buffer) return void(note(tally_.failure, Failure::What::buffers, at, held));
    const std::optional<std::uint64_t> logical = plan_.logical->pack(held.element);
    if (!logical) return void(note(tally_.failure, Failure::What::hole, at, held));
    if (const std::optional<Place> row = beyond(at))
      return void(note(tally_.failure, Failure::What::beyond, at, held, *logical, *row));
    if (((relation.place_of(*logical) ^ place) & relation.sums()) != 0)
      return void(note(tally_.failure, Failure::What::elsewhere, at, held, *logical));
    const std::uint64_t residual = *logical & relation.residual();
    if (!c.set) c = {residual, held.buffer, true};
    if (c.residual != residual || !same_copy(at, place, *logical))
      note(tally_.failure, Failure::What::varies, at, held, *logical);
  }

  /// A value of several elements is as stated where all of them agree in the named bits, and with the place.
  void sum_at(const PlaceAt& at, std::uint64_t place, std::span<const trace::WordTag> words, int bit,
              const Held& held) {
    Sums::At found;
    if (plan_.sums != nullptr && plan_.commons != nullptr)
      found = plan_.sums->check(place, plan_.commons->at(words, bit, plan_.geometry.grain_bits));
    if (found.answer == Sums::Answer::agrees) {
      if (const std::optional<Place> row = beyond(at))
        return void(note(tally_.failure, Failure::What::sum, at, held, 0, *row));
      tally_.sums += held.kind == Held::Kind::mixed ? 1 : 0;
      return;
    }
    std::optional<Failure>& slot = found.answer == Sums::Answer::open ? tally_.mixed : tally_.failure;
    if (!note(slot, Failure::What::sum, at, held)) return;
    if (found.name >= 0) slot->name = plan_.sums->names()[static_cast<std::size_t>(found.name)];
    slot->name_is = found.is;
  }

  void nothing_at(const PlaceAt& at, const Held& held) {
    if (beyond(at)) {  // the claim says nothing about this place, and nothing is there
      ++tally_.inactive_places;
      return;
    }
    ++tally_.places;
    note(tally_.nothing, Failure::What::nothing, at, held);
  }

  std::optional<Place> beyond(const PlaceAt& at) const {
    const std::array<std::uint64_t, layout::place_count> values{static_cast<std::uint64_t>(at.part),
                                                                static_cast<std::uint64_t>(at.reg),
                                                                static_cast<std::uint64_t>(at.lane), at.warp, at.block};
    for (std::size_t p = 0; p < values.size(); ++p)
      if (values[p] >= limit_[p]) return static_cast<Place>(p);
    return std::nullopt;
  }

  /// [unused] bits change nothing. Sums that settle every named bit have shown that already.
  bool same_copy(const PlaceAt& at, std::uint64_t place, std::uint64_t logical) {
    const Relation& relation = plan_.relation;
    if (relation.settled() || relation.unused() == 0) return true;
    const std::uint64_t key = (place & ~relation.unused()) | class_number(at, place) << 40;
    return classes_.copies.try_emplace(key, logical).first->second == logical;
  }

  std::size_t class_number(const PlaceAt& at, std::uint64_t place) const {
    const Relation& relation = plan_.relation;
    std::size_t n = 0;
    if (!relation.has(Place::warp)) n = at.warp;
    if (!relation.has(Place::thread)) n = n * 32 + static_cast<std::size_t>(at.lane);
    if (!relation.has(Place::reg)) n = n * plan_.geometry.units.size() + static_cast<std::size_t>(at.reg);
    if (!relation.has(Place::simd))
      n = n * static_cast<std::size_t>(plan_.geometry.parts()) + static_cast<std::size_t>(at.part);
    for (const std::size_t bit : set_bits(relation.unsaid())) n = 2 * n + (place >> bit & 1);
    return n;
  }

  Classes::Class& class_of(const PlaceAt& at, std::uint64_t place) {
    const std::size_t n = class_number(at, place);
    if (n >= classes_.classes.size()) classes_.classes.resize(n + 1);
    return classes_.classes[n];
  }

  /// Whether it is the one that is kept.
  bool note(std::optional<Failure>& slot, Failure::What what, const PlaceAt& at, const Held& held,
            std::uint64_t logical = 0, Place row = Place::simd) {
    const int variable = plan_.geometry.units[static_cast<std::size_t>(at.reg)].variable;
    const std::uint64_t wrong = std::uint64_t{1} << std::min(variable, 63);
    const auto here = std::tie(s_.block, s_.iteration, at.warp);
    if (slot && std::tie(slot->at.block, slot->iteration, slot->at.warp) <= here) {
      if (std::tie(slot->at.block, slot->iteration, slot->at.warp) == here) slot->wrong_registers |= wrong;
      return false;
    }
    slot = Failure{.what = what,
                   .at = at,
                   .held = held,
                   .iteration = s_.iteration,
                   .logical = logical,
                   .row = row,
                   .name = {},
                   .wrong_registers = wrong};
    return true;
  }

  const Snapshot& s_;
  const Plan& plan_;
  Reader& reader_;
  Classes& classes_;
  Tally& tally_;
  std::array<int, layout::place_count> offset_{};
  std::array<std::uint64_t, layout::place_count> limit_{}, keep_{};
};

}  // namespace

void check(const Snapshot& snapshot, const Plan& plan, Reader& reader, Classes& classes, Tally& tally) {
  Checker(snapshot, plan, reader, classes, tally).run();
}

}  // namespace lanescope::claims
