#include "kernels/convert/warp_moves.h"

#include <algorithm>
#include <bit>

#include <fmt/format.h>

#include "kernels/base/check.h"
#include "kernels/convert/bits.h"
#include "kernels/convert/slots.h"
#include "kernels/layout/f2_basis.h"

namespace lanescope::convert {
namespace {

using Basis = layout::F2Basis<std::uint64_t>;

constexpr int most_phantoms = 3;

/// Registers whose slot and register bits number given units.
struct Arrangement {
  std::vector<Value> words;
  std::vector<int> slot_has, reg_has;  ///< unit of each slot bit and register bit; -1: none

  int slot_bits() const { return static_cast<int>(slot_has.size()); }

  /// The slot at the place that is the sum of the units in `place`.
  Slot at(std::uint64_t place) const {
    std::size_t word = 0;
    int slot = 0;
    for (std::size_t i = 0; i < slot_has.size(); ++i) {
      if (slot_has[i] >= 0 && has(place, slot_has[i])) slot |= 1 << i;
    }
    for (std::size_t i = 0; i < reg_has.size(); ++i) {
      if (reg_has[i] >= 0 && has(place, reg_has[i])) word |= std::size_t{1} << i;
    }
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

/// A linear map from lanes to words, as a sum of a word times a parity of lane bits.
struct Turn {
  std::uint64_t word = 0;
  std::uint32_t parity = 0;
};
std::vector<Turn> turns_of(const std::array<std::uint64_t, lane_bits>& columns) {
  Basis basis;
  std::vector<Turn> out;
  for (const std::uint64_t c : columns) {
    if (basis.insert({c, bit(static_cast<int>(out.size()))})) out.push_back({c, 0});
  }
  for (int i = 0; i < lane_bits; ++i) {
    const std::uint64_t parts = basis.reduce({columns[index(i)], 0}).tag;
    for (std::size_t n = 0; n < out.size(); ++n) {
      if ((parts >> n & 1) != 0) out[n].parity |= 1U << i;
    }
  }
  return out;
}

void turn(WordBuilder& b, std::vector<Value>& words, const std::vector<Turn>& turns) {
  for (const Turn& t : turns) {
    std::vector<Value> next(words.size());
    for (std::size_t k = 0; k < words.size(); ++k) next[k] = b.select(t.parity, words[k], words[k ^ t.word]);
    words = std::move(next);
  }
}

class Move {
 public:
  Move(WordBuilder& builder, const PlaceMap& map, bool stay)
      : b_(builder), map_(map), mover_(builder, std::min(map.element_bits, 32)), stay_(stay) {}

  std::vector<Value> run(std::vector<Value> words) {
    choose_travelling();
    choose_words();
    std::vector<Value> travelling = gather_words(std::move(words));
    b_.stage("gather", travelling);
    if (!choose_lanes()) return {};
    fetch(travelling);
    flip(travelling);
    b_.stage("turn", travelling);
    std::vector<Value> out = gather_registers(travelling);
    b_.stage("gather", out);
    return out;
  }

 private:
  std::uint64_t column(std::uint64_t place) const { return combine(map_.columns, place); }
  std::uint64_t local_part(std::uint64_t place) const { return place & (bit(map_.local()) - 1); }
  std::uint64_t lane_part(std::uint64_t place) const { return place >> map_.local() & 31; }
  bool is_slot(std::uint64_t v) const { return std::has_single_bit(v) && v < bit(map_.slots); }

  /// Directions of the destination in which elements travel together, and the registers' other directions.
  void choose_travelling() {
    std::vector<std::uint64_t> moving, together;
    for (int i = 0; i < map_.local(); ++i) {
      if (map_.roles[index(i)] != Role::free && map_.columns[index(i)] != 0) moving.push_back(bit(i));
    }
    const auto stays = [&](std::uint64_t v) { return lane_part(column(v)) == 0; };
    const auto add = [&](auto wanted) {
      for (const std::uint64_t v : moving) {
        if (stays(v) && wanted(v) && std::ranges::find(together, v) == together.end()) together.push_back(v);
      }
    };
    add([&](std::uint64_t v) { return is_slot(v) && is_slot(column(v)); });
    add([&](std::uint64_t v) { return is_slot(v) || is_slot(column(v)); });
    add([](std::uint64_t) { return true; });
    Basis lanes_of;  // sums of directions that stay together
    for (const std::uint64_t v : moving) {
      const auto left = lanes_of.reduce({lane_part(column(v)), v});
      if (left.vector == 0)
        together.push_back(left.tag);
      else
        lanes_of.insert({lane_part(column(v)), v});
    }
    Basis chosen;
    for (const std::uint64_t v : together) {
      if (static_cast<int>(slot_directions_.size()) == map_.slots) break;
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
  void choose_positions() {
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
  void choose_words() {
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
    for (int i = 0; i < lane_bits; ++i) add(local_part(map_.columns[index(map_.lane(i))]));
  }

  int slot_count() const { return static_cast<int>(slot_directions_.size()); }

  /// Transport slot number of the directions in `coordinates`.
  std::uint32_t slot_of(std::uint64_t coordinates) const {
    std::uint32_t out = 0;
    for (std::size_t j = 0; j < position_.size(); ++j) {
      if (has(coordinates, static_cast<int>(j))) out |= 1U << position_[j];
    }
    return out;
  }

  std::vector<Value> gather_words(std::vector<Value> words) {
    Arrangement a{.words = std::move(words), .slot_has = {}, .reg_has = {}};
    for (int i = 0; i < map_.slots; ++i) a.slot_has.push_back(i);
    for (int i = 0; i < map_.registers; ++i) a.reg_has.push_back(map_.slots + i);
    std::vector<Wish> wishes;
    for (std::size_t j = 0; j < from_slot_directions_.size(); ++j) {
      if (std::has_single_bit(from_slot_directions_[j]))
        wishes.push_back({std::countr_zero(from_slot_directions_[j]), position_[j]});
    }
    std::vector<Wanted> wanted(std::size_t{1} << from_word_directions_.size(), Wanted(std::size_t{1} << map_.slots));
    for (std::size_t k = 0; k < wanted.size(); ++k) {
      for (std::uint64_t s = 0; s < bit(slot_count()); ++s)
        wanted[k][slot_of(s)] =
            local_part(map_.constant) ^ combine(from_slot_directions_, s) ^ combine(from_word_directions_, k);
    }
    return gather_all(mover_, map_.element_bits, std::move(a), wanted, wishes);
  }

  /// F, M, H; false where too many words would have to be fetched twice.
  bool choose_lanes() {
    for (const std::uint64_t v : word_directions_) {
      const std::uint64_t there = column(v);
      const std::uint64_t coordinates = from_coordinates_.reduce({local_part(there), 0}).tag;
      word_words_.push_back(coordinates >> slot_count());
      word_slots_.push_back(slot_of(coordinates));
      word_lanes_.push_back(lane_part(there));
    }
    std::array<std::uint64_t, lane_bits> lane_words{}, lane_lanes{};
    for (int i = 0; i < lane_bits; ++i) {
      const std::uint64_t there = map_.columns[index(map_.lane(i))];
      const std::uint64_t coordinates = from_coordinates_.reduce({local_part(there), 0}).tag;
      lane_words[index(i)] = coordinates >> slot_count();
      lane_slots_[index(i)] = slot_of(coordinates);
      lane_lanes[index(i)] = lane_part(there);
    }
    if (!(stay_ && every_lane_stays(lane_lanes)) && !smallest_turn(lane_words, lane_lanes)) return false;
    Basis read;
    for (int i = 0; i < lane_bits; ++i) {
      const std::uint64_t f = after_[index(i)];
      lane_map_.columns[index(i)] = static_cast<std::uint32_t>(lane_lanes[index(i)] ^ combine(word_lanes_, f));
      read.insert({lane_map_.columns[index(i)], lane_words[index(i)] ^ combine(word_words_, f)});
    }
    for (int i = 0; i < lane_bits; ++i) read.insert({bit(i), 0});
    for (int i = 0; i < lane_bits; ++i) before_[index(i)] = read.reduce({bit(i), 0}).tag;
    return true;
  }

  /// F for which every lane reads the words of its own number: then the words that need no other lane stay.
  bool every_lane_stays(const std::array<std::uint64_t, lane_bits>& lane_lanes) {
    Basis reach;
    for (std::size_t j = 0; j < word_lanes_.size(); ++j) reach.insert({word_lanes_[j], bit(static_cast<int>(j))});
    std::array<std::uint64_t, lane_bits> f{};
    for (int i = 0; i < lane_bits; ++i) {
      const auto left = reach.reduce({lane_lanes[index(i)] ^ bit(i), 0});
      if (left.vector != 0) return false;
      f[index(i)] = left.tag;
    }
    after_ = f;
    return true;
  }

  /// The F of least rank with which the lane that is read tells the word.
  bool smallest_turn(const std::array<std::uint64_t, lane_bits>& lane_words,
                     const std::array<std::uint64_t, lane_bits>& lane_lanes) {
    // Lane directions that read the same lane and another word of it.
    Basis lanes_read, words_told;
    std::vector<std::uint64_t> ambiguous;
    for (int i = 0; i < lane_bits; ++i) {
      const auto left = lanes_read.reduce({lane_lanes[index(i)], bit(i)});
      if (left.vector != 0) {
        lanes_read.insert({lane_lanes[index(i)], bit(i)});
      } else if (words_told.insert({combine(lane_words, left.tag), 0})) {
        ambiguous.push_back(left.tag);
      }
    }
    // Words that reach lanes which no lane direction reaches tell them apart.
    std::vector<std::uint64_t> helpers;
    for (std::size_t j = 0; j < word_lanes_.size(); ++j) {
      if (lanes_read.insert({word_lanes_[j], 0})) helpers.push_back(bit(static_cast<int>(j)));
    }
    for (std::size_t n = helpers.size(); n < ambiguous.size(); ++n) {
      if (++phantoms_ > most_phantoms) return false;
      helpers.push_back(bit(static_cast<int>(word_words_.size())));
      word_words_.push_back(combine(lane_words, ambiguous[n]));
      word_slots_.push_back(0);
      word_lanes_.push_back(0);
    }
    // A parity for each ambiguous direction that is odd on it and even on the others: its own lowest lane bit, after
    // that bit was removed from the others.
    for (std::size_t n = 0; n < ambiguous.size(); ++n) {
      for (std::size_t other = 0; other < ambiguous.size(); ++other) {
        if (other != n && has(ambiguous[other], std::countr_zero(ambiguous[n]))) ambiguous[other] ^= ambiguous[n];
      }
    }
    for (std::size_t n = 0; n < ambiguous.size(); ++n) after_[index(std::countr_zero(ambiguous[n]))] ^= helpers[n];
    // A phantom fetches the word that its direction reads.
    for (std::size_t n = ambiguous.size() - index(phantoms_); n < ambiguous.size(); ++n)
      word_words_[word_words_.size() - (ambiguous.size() - n)] = combine(lane_words, ambiguous[n]);
    return true;
  }

  void fetch(std::vector<Value>& words) {
    turn(b_, words, turns_of(before_));
    b_.stage("turn", words);
    const auto lane0 = static_cast<std::uint32_t>(lane_part(map_.constant));
    const std::uint64_t turned = combine(before_, lane0);
    std::vector<Value> fetched(std::size_t{1} << word_words_.size());
    for (std::size_t k = 0; k < fetched.size(); ++k) {
      const std::uint64_t lanes_of_k = combine(word_lanes_, k);
      LaneMap from = lane_map_;
      from.constant = static_cast<std::uint32_t>(lanes_of_k) ^ lane0;
      fetched[k] = b_.shuffle(words[combine(word_words_, k) ^ combine(before_, lanes_of_k) ^ turned], from);
    }
    b_.stage("shuffle", fetched);
    turn(b_, fetched, turns_of(after_));
    fetched.resize(std::size_t{1} << word_directions_.size());
    words = std::move(fetched);
  }

  /// Slots that lie otherwise in some words or lanes.
  void flip(std::vector<Value>& words) {
    for (std::size_t k = 0; k < words.size(); ++k) {
      LaneTable by;
      for (std::uint32_t lane = 0; lane < lanes; ++lane) {
        by[lane] = 0;
        for (int i = 0; i < lane_bits; ++i) {
          if (has(lane, i)) by[lane] ^= lane_slots_[index(i)];
        }
        for (std::size_t j = 0; j < word_directions_.size(); ++j) {
          if ((k >> j & 1) != 0) by[lane] ^= word_slots_[j];
        }
      }
      words[k] = mover_.flip(words[k], map_.slots, by);
    }
  }

  std::vector<Value> gather_registers(std::vector<Value> words) {
    Arrangement a{.words = std::move(words), .slot_has = std::vector<int>(index(map_.slots), -1), .reg_has = {}};
    for (std::size_t j = 0; j < position_.size(); ++j) a.slot_has[index(position_[j])] = static_cast<int>(j);
    for (std::size_t j = 0; j < word_directions_.size(); ++j) a.reg_has.push_back(slot_count() + static_cast<int>(j));
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
  std::optional<std::uint64_t> coordinates_of(std::uint64_t place) const {
    std::uint64_t moving = place;
    for (int i = 0; i < map_.local(); ++i) {
      if (!has(place, i)) continue;
      if (map_.roles[index(i)] == Role::free) return std::nullopt;
      if (map_.columns[index(i)] == 0) moving &= ~bit(i);
    }
    return to_coordinates_.reduce({moving, 0}).tag;
  }

  WordBuilder& b_;
  const PlaceMap& map_;
  SlotMover mover_;
  bool stay_;
  std::vector<std::uint64_t> slot_directions_, word_directions_;  ///< of the destination; coordinates in this order
  std::vector<std::uint64_t> from_slot_directions_, from_word_directions_;
  std::vector<int> position_;
  Basis to_coordinates_, from_coordinates_;
  std::vector<std::uint64_t> word_words_, word_lanes_;  ///< what each word direction reads: word, lane
  std::vector<std::uint32_t> word_slots_;               ///< and how its slots lie there
  std::array<std::uint32_t, lane_bits> lane_slots_{};
  std::array<std::uint64_t, lane_bits> before_{}, after_{};  ///< H and F
  LaneMap lane_map_{.columns = {}, .constant = 0};           ///< M
  int phantoms_ = 0;
};

/// The map whose moves exchange each pair of source bits.
PlaceMap exchange_map(const PlaceMap& map, std::span<const std::pair<int, int>> pairs) {
  PlaceMap out = map;
  out.constant = 0;
  out.to_registers = map.from_registers;
  for (int i = 0; i < map.total(); ++i) {
    out.columns[index(i)] = bit(i);
    out.roles[index(i)] = has(map.from_bits, i) || i >= map.local() ? Role::moves : Role::free;
  }
  for (const auto& [a, b] : pairs) std::swap(out.columns[index(a)], out.columns[index(b)]);
  return out;
}

std::uint64_t swapped(std::uint64_t v, int a, int b) {
  const std::uint64_t differ = (v >> a ^ v >> b) & 1;
  return v ^ (differ << a | differ << b);
}

/// What is left to do after the exchange.
PlaceMap after_exchange(PlaceMap map, std::span<const std::pair<int, int>> pairs) {
  for (const auto& [a, b] : pairs) {
    for (std::uint64_t& c : map.columns) c = swapped(c, a, b);
    map.constant = swapped(map.constant, a, b);
  }
  return map;
}

/// Source bits that change sides: a local one and a lane bit. A local bit is paired with the lane bit where it must go
/// when that one changes sides, too.
std::vector<std::pair<int, int>> exchanges_of(const PlaceMap& map) {
  if (!map.is_permutation()) return {};
  std::vector<int> locals, lanes_left;
  std::vector<int> goes_to(index(map.total()), -1);
  for (int i = 0; i < map.total(); ++i) {
    if (map.roles[index(i)] != Role::free && map.columns[index(i)] != 0)
      goes_to[index(std::countr_zero(map.columns[index(i)]))] = i;
  }
  const auto is_lane = [&](int i) { return i >= map.local() && i < map.local() + lane_bits; };
  for (int i = map.local() - 1; i >= 0; --i) {
    if (goes_to[index(i)] >= 0 && is_lane(goes_to[index(i)])) locals.push_back(i);
  }
  for (int i = map.local(); i < map.local() + lane_bits; ++i) {
    if (has(map.from_bits, i) && !is_lane(goes_to[index(i)])) lanes_left.push_back(i);
  }
  std::vector<std::pair<int, int>> out;
  for (const bool matching : {true, false}) {
    std::erase_if(locals, [&](int i) {
      auto lane = matching ? std::ranges::find(lanes_left, goes_to[index(i)]) : lanes_left.begin();
      if (lane == lanes_left.end()) return false;
      out.emplace_back(i, *lane);
      lanes_left.erase(lane);
      return true;
    });
  }
  std::ranges::stable_sort(
      out, [&](const auto& a, const auto& b) { return (a.first >= map.slots) > (b.first >= map.slots); });
  return out;
}

std::optional<WarpPlan> plan_with(const PlaceMap& map, const std::vector<std::pair<int, int>>& exchanges,
                                  const std::vector<int>& groups, bool stay) {
  WordBuilder b(1 << map.registers);
  std::vector<Value> words;
  for (int r = 0; r < 1 << map.registers; ++r) {
    const bool exists = (static_cast<std::uint64_t>(r) << map.slots & ~map.from_bits) == 0;
    words.push_back(exists ? b.input(r) : nothing);
  }
  PlaceMap left = map;
  std::size_t done = 0;
  for (const int size : groups) {
    const std::span group(exchanges.data() + done, index(size));
    words = Move(b, exchange_map(left, group), true).run(std::move(words));
    if (words.empty()) return std::nullopt;
    left = after_exchange(std::move(left), group);
    done += index(size);
  }
  words = Move(b, left, stay).run(std::move(words));
  if (words.empty()) return std::nullopt;
  words.resize(std::size_t{1} << map.to_registers);
  return WarpPlan{.groups = groups, .program = b.finish(words)};
}

bool no_worse(const Counts& a, const Counts& b) {
  return a.shuffles <= b.shuffles && a.selects <= b.selects && a.permutes + a.logic <= b.permutes + b.logic;
}

}  // namespace

std::vector<WarpPlan> warp_plans(const PlaceMap& map) {
  LS_CHECK(map.within_warps());
  const std::vector<std::pair<int, int>> exchanges = exchanges_of(map);
  std::vector<WarpPlan> front;
  const auto offer = [&](std::optional<WarpPlan> plan) {
    if (!plan) return;
    const Counts c = plan->program.counts();
    for (const WarpPlan& p : front) {
      if (no_worse(p.program.counts(), c)) return;
    }
    std::erase_if(front, [&](const WarpPlan& p) { return no_worse(c, p.program.counts()); });
    front.push_back(std::move(*plan));
  };
  // Every way to cut a beginning of the exchanges into groups.
  std::vector<int> groups;
  const auto all = [&](const auto& self, int left) -> void {
    for (const bool stay : {true, false}) offer(plan_with(map, exchanges, groups, stay));
    for (int size = 1; size <= left; ++size) {
      groups.push_back(size);
      self(self, left - size);
      groups.pop_back();
    }
  };
  all(all, static_cast<int>(exchanges.size()));
  std::ranges::stable_sort(front, [](const WarpPlan& a, const WarpPlan& b) {
    const Counts x = a.program.counts(), y = b.program.counts();
    return std::pair{x.shuffles, x.all()} < std::pair{y.shuffles, y.all()};
  });
  return front;
}

std::string disprove(const WordProgram& program, const PlaceMap& map) {
  const int element = std::min(map.element_bits, 32);
  const int input_bits = 5 + 5 + map.registers;  // a bit's number: register, bit, lane
  const auto number = [](std::uint64_t reg, std::uint64_t b, std::uint64_t lane) { return (reg << 5 | b) << 5 | lane; };
  for (int pass = 0; pass < input_bits; ++pass) {
    std::vector<Register> inputs(std::size_t{1} << map.registers);
    for (std::uint64_t r = 0; r < inputs.size(); ++r) {
      for (std::uint64_t lane = 0; lane < lanes; ++lane) {
        for (std::uint64_t b = 0; b < 32; ++b)
          inputs[r][lane] |= static_cast<std::uint32_t>(number(r, b, lane) >> pass & 1) << b;
      }
    }
    const std::vector<Register> outputs = outputs_of(program, execute(program, inputs));
    std::uint64_t free = 0;
    for (int i = 0; i < map.total(); ++i) {
      if (map.roles[index(i)] == Role::free) free |= bit(i);
    }
    for (std::uint64_t place = 0; place < bit(map.local() + lane_bits); ++place) {
      if ((place & free) != 0) continue;
      const std::uint64_t there = map(place);
      const auto part = [&](std::uint64_t p) {
        return std::tuple{p >> map.slots & (bit(map.registers) - 1), p & (bit(map.slots) - 1), p >> map.local() & 31};
      };
      const auto [reg, slot, lane] = part(place);
      const auto [from_reg, from_slot, from_lane] = part(there);
      for (int b = 0; b < element; ++b) {
        const auto here = static_cast<unsigned>(slot) * static_cast<unsigned>(element) + static_cast<unsigned>(b);
        const std::uint64_t wanted = number(
            from_reg, from_slot * static_cast<std::uint64_t>(element) + static_cast<std::uint64_t>(b), from_lane);
        if (reg >= outputs.size() || (outputs[reg][lane] >> here & 1) != (wanted >> pass & 1))
          return fmt::format("register {}, slot {}, lane {} does not hold what register {}, slot {}, lane {} had", reg,
                             slot, lane, from_reg, from_slot, from_lane);
      }
    }
  }
  return {};
}

}  // namespace lanescope::convert
