#include "kernels/convert/travel.h"

#include <algorithm>
#include <bit>

#include "kernels/convert/bits.h"

namespace lanescope::convert {
namespace {

/// Registers whose slot and register bits number given units.
struct Arrangement {
  std::vector<Value> words;
  std::vector<int> slot_has, reg_has;  ///< unit of each slot bit and register bit; -1: none

  int slot_bits() const { return static_cast<int>(slot_has.size()); }

  /// The slot at the place that is the sum of the units in `place`.
  Slot at(std::uint64_t place) const {
    std::size_t word = 0;
    int slot = 0;
    for (std::size_t i = 0; i < slot_has.size(); ++i)
      if (slot_has[i] >= 0 && has(place, slot_has[i])) slot |= 1 << i;
    for (std::size_t i = 0; i < reg_has.size(); ++i)
      if (reg_has[i] >= 0 && has(place, reg_has[i])) word |= std::size_t{1} << i;
    return {words[word], slot};
  }
};

struct Wish {
  int unit = 0, slot = 0;
};

/// Brings units that number registers into slots, by exchanges of one slot bit with one register bit.
void bring(SlotMover& mover, Arrangement& a, std::span<const Wish> wishes) {
  const auto wanted = [&](int unit) {
    return std::ranges::any_of(wishes, [&](const Wish& w) { return w.unit == unit; });
  };
  for (const Wish& w : wishes) {
    const auto reg = std::ranges::find(a.reg_has, w.unit);
    if (reg == a.reg_has.end()) continue;
    int slot = w.slot;
    for (int other = 0; other < a.slot_bits() && wanted(a.slot_has[index(slot)]); ++other) slot = other;
    if (wanted(a.slot_has[index(slot)])) continue;
    const int r = static_cast<int>(reg - a.reg_has.begin());
    mover.exchange(a.words, a.slot_bits(), slot, r);
    std::swap(a.slot_has[index(slot)], a.reg_has[index(r)]);
  }
}

/// Registers whose slot n holds the place `wanted[n]`.
using Wanted = std::vector<std::optional<std::uint64_t>>;
std::vector<Value> gather_all(SlotMover& mover, int element_bits, Arrangement a, std::span<const Wanted> registers,
                              std::span<const Wish> wishes) {
  const auto sources = [&](const Wanted& wanted) {
    std::vector<Value> out;
    for (const auto& place : wanted) {
      if (!place) continue;
      const Value v = a.at(*place).value;
      if (std::ranges::find(out, v) == out.end()) out.push_back(v);
    }
    return out.size();
  };
  const std::size_t enough = element_bits < 8 ? 1 : 2;
  if (std::ranges::any_of(registers, [&](const Wanted& w) { return sources(w) > enough; })) bring(mover, a, wishes);
  std::vector<Value> out;
  for (const Wanted& wanted : registers) {
    std::vector<Slot> slots;
    for (const auto& place : wanted) slots.push_back(place ? a.at(*place) : Slot{});
    out.push_back(mover.gather(slots));
  }
  return out;
}

}  // namespace

Travel::Travel(WordBuilder& builder, const PlaceMap& map, int most_slots)
    : map_(map), mover_(builder, std::min(map.element_bits, 32)) {
  choose_travelling(most_slots);
  choose_words();
}

std::uint64_t Travel::column(std::uint64_t place) const { return combine(map_.columns, place); }
std::uint64_t Travel::local_part(std::uint64_t place) const { return place & (bit(map_.local()) - 1); }
std::uint64_t Travel::thread_part(std::uint64_t place) const { return place >> map_.local(); }
bool Travel::is_slot(std::uint64_t v) const { return std::has_single_bit(v) && v < bit(map_.slots); }

/// Directions of the destination in which elements travel together, and the registers' other directions.
void Travel::choose_travelling(int most_slots) {
  std::vector<std::uint64_t> moving, together;
  for (int i = 0; i < map_.local(); ++i)
    if (map_.roles[index(i)] != Role::free && map_.columns[index(i)] != 0) moving.push_back(bit(i));
  const auto stays = [&](std::uint64_t v) { return thread_part(column(v)) == 0; };
  const auto add = [&](auto wanted) {
    for (const std::uint64_t v : moving)
      if (stays(v) && wanted(v) && std::ranges::find(together, v) == together.end()) together.push_back(v);
  };
  add([&](std::uint64_t v) { return is_slot(v) && is_slot(column(v)); });
  add([&](std::uint64_t v) { return is_slot(v) || is_slot(column(v)); });
  add([](std::uint64_t) { return true; });
  Basis threads_of;  // sums of directions that stay together
  for (const std::uint64_t v : moving) {
    const auto left = threads_of.reduce({thread_part(column(v)), v});
    if (left.vector == 0)
      together.push_back(left.tag);
    else
      threads_of.insert({thread_part(column(v)), v});
  }
  Basis chosen;
  for (const std::uint64_t v : together) {
    if (static_cast<int>(slot_directions_.size()) == most_slots) break;
    if (chosen.insert({v, bit(static_cast<int>(slot_directions_.size()))})) slot_directions_.push_back(v);
  }
  std::stable_partition(moving.begin(), moving.end(), [&](std::uint64_t v) { return !is_slot(v); });
  for (const std::uint64_t v : moving) {
    const int coordinate = static_cast<int>(slot_directions_.size() + word_directions_.size());
    if (chosen.insert({v, bit(coordinate)})) word_directions_.push_back(v);
  }
  to_coordinates_ = chosen;
  choose_positions();
}

/// The slot of a register that numbers each direction.
void Travel::choose_positions() {
  std::vector<bool> taken(index(map_.slots), false);
  position_.assign(slot_directions_.size(), -1);
  const auto take = [&](std::size_t j, std::uint64_t v) {
    if (position_[j] >= 0 || !is_slot(v) || taken[index(std::countr_zero(v))]) return;
    position_[j] = std::countr_zero(v);
    taken[index(position_[j])] = true;
  };
  for (std::size_t j = 0; j < position_.size(); ++j) take(j, slot_directions_[j]);
  for (std::size_t j = 0; j < position_.size(); ++j) take(j, local_part(column(slot_directions_[j])));
  for (int& p : position_) {
    if (p >= 0) continue;
    p = static_cast<int>(std::ranges::find(taken, false) - taken.begin());
    taken[index(p)] = true;
  }
}

/// Words of the source: registers' directions there, as far as the destination reads them.
void Travel::choose_words() {
  int coordinates = 0;
  for (const std::uint64_t v : slot_directions_) {
    const std::uint64_t there = local_part(column(v));
    from_slot_directions_.push_back(there);
    from_coordinates_.insert({there, bit(coordinates++)});
  }
  const auto add = [&](std::uint64_t there) {
    if (from_coordinates_.insert({there, bit(coordinates)})) {
      from_word_directions_.push_back(there);
      ++coordinates;
    }
  };
  for (const std::uint64_t v : word_directions_) add(local_part(column(v)));
  for (int i = map_.local(); i < map_.total() - map_.blocks; ++i) add(local_part(map_.columns[index(i)]));
}

/// Transport slot number of the directions in `coordinates`.
std::uint32_t Travel::slot_of(std::uint64_t coordinates) const {
  std::uint32_t out = 0;
  for (std::size_t j = 0; j < position_.size(); ++j)
    if (has(coordinates, static_cast<int>(j))) out |= 1U << position_[j];
  return out;
}

std::vector<Value> Travel::gather_words(std::vector<Value> registers) {
  Arrangement a{.words = std::move(registers), .slot_has = {}, .reg_has = {}};
  for (int i = 0; i < map_.slots; ++i) a.slot_has.push_back(i);
  for (int i = 0; i < map_.registers; ++i) a.reg_has.push_back(map_.slots + i);
  std::vector<Wish> wishes;
  for (std::size_t j = 0; j < from_slot_directions_.size(); ++j)
    if (std::has_single_bit(from_slot_directions_[j]))
      wishes.push_back({std::countr_zero(from_slot_directions_[j]), position_[j]});
  std::vector<Wanted> wanted(std::size_t{1} << from_word_directions_.size(), Wanted(std::size_t{1} << map_.slots));
  for (std::size_t k = 0; k < wanted.size(); ++k)
    for (std::uint64_t s = 0; s < bit(slot_bits()); ++s)
      wanted[k][slot_of(s)] =
          local_part(map_.constant) ^ combine(from_slot_directions_, s) ^ combine(from_word_directions_, k);
  return gather_all(mover_, map_.element_bits, std::move(a), wanted, wishes);
}

Travel::Read Travel::reads(std::uint64_t direction) const {
  const std::uint64_t there = column(direction);
  const std::uint64_t coordinates = from_coordinates_.reduce({local_part(there), 0}).tag;
  return {.word = coordinates >> slot_bits(), .thread = thread_part(there), .slots = slot_of(coordinates)};
}

std::vector<Value> Travel::gather_registers(std::vector<Value> words) {
  Arrangement a{.words = std::move(words), .slot_has = std::vector<int>(index(map_.slots), -1), .reg_has = {}};
  for (std::size_t j = 0; j < position_.size(); ++j) a.slot_has[index(position_[j])] = static_cast<int>(j);
  for (std::size_t j = 0; j < word_directions_.size(); ++j) a.reg_has.push_back(slot_bits() + static_cast<int>(j));
  std::vector<Wish> wishes;
  for (int i = 0; i < map_.slots; ++i) {
    if (map_.roles[index(i)] == Role::free || map_.columns[index(i)] == 0) continue;
    const std::uint64_t coordinates = to_coordinates_.reduce({bit(i), 0}).tag;
    if (std::has_single_bit(coordinates)) wishes.push_back({std::countr_zero(coordinates), i});
  }
  std::vector<Wanted> wanted;
  for (std::uint64_t r = 0; r < bit(map_.registers); ++r) {
    wanted.emplace_back(std::size_t{1} << map_.slots);
    for (std::uint64_t s = 0; s < bit(map_.slots); ++s) wanted.back()[s] = coordinates_of(r << map_.slots | s);
  }
  std::vector<Value> out = gather_all(mover_, map_.element_bits, std::move(a), wanted, wishes);
  return out;
}

/// nullopt: nothing is there.
std::optional<std::uint64_t> Travel::coordinates_of(std::uint64_t place) const {
  std::uint64_t moving = place;
  for (int i = 0; i < map_.local(); ++i) {
    if (!has(place, i)) continue;
    if (map_.roles[index(i)] == Role::free) return std::nullopt;
    if (map_.columns[index(i)] == 0) moving &= ~bit(i);
  }
  return to_coordinates_.reduce({moving, 0}).tag;
}

}  // namespace lanescope::convert
