#include "kernels/convert/warp_moves.h"

#include <algorithm>
#include <bit>
#include <chrono>

#include "kernels/base/check.h"
#include "kernels/convert/bits.h"
#include "kernels/convert/cost_model.h"
#include "kernels/convert/travel.h"
#include "kernels/layout/f2_basis.h"

namespace lanescope::convert {
namespace {

using Basis = layout::F2Basis<std::uint64_t>;

constexpr int most_phantoms = 3;

/// A linear map from lanes to words, as a sum of a word times a parity of lane bits.
struct Turn {
  std::uint64_t word = 0;
  std::uint32_t parity = 0;
};
std::vector<Turn> turns_of(const std::array<std::uint64_t, lane_bits>& columns) {
  Basis basis;
  std::vector<Turn> out;
  for (const std::uint64_t c : columns)
    if (basis.insert({c, bit(static_cast<int>(out.size()))})) out.push_back({c, 0});
  for (int i = 0; i < lane_bits; ++i) {
    const std::uint64_t parts = basis.reduce({columns[index(i)], 0}).tag;
    for (std::size_t n = 0; n < out.size(); ++n)
      if ((parts >> n & 1) != 0) out[n].parity |= 1U << i;
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
      : b_(builder), map_(map), travel_(builder, map, map.slots), stay_(stay) {}

  std::vector<Value> run(std::vector<Value> registers) {
    std::vector<Value> words = travel_.gather_words(std::move(registers));
    b_.stage("gather", words, true);
    if (!choose_lanes()) return {};
    fetch(words);
    flip(words);
    b_.stage("turn", words, true);
    std::vector<Value> out = travel_.gather_registers(std::move(words));
    b_.stage("gather", out);
    return out;
  }

 private:
  /// F, M, H; false where too many words would have to be fetched twice.
  bool choose_lanes() {
    for (const std::uint64_t v : travel_.word_directions()) {
      const Travel::Read read = travel_.reads(v);
      word_words_.push_back(read.word);
      word_slots_.push_back(read.slots);
      word_lanes_.push_back(read.thread);
    }
    std::array<std::uint64_t, lane_bits> lane_words{}, lane_lanes{};
    for (int i = 0; i < lane_bits; ++i) {
      const Travel::Read read = travel_.reads(bit(map_.lane(i)));
      lane_words[index(i)] = read.word;
      lane_slots_[index(i)] = read.slots;
      lane_lanes[index(i)] = read.thread;
    }
    if (!(stay_ && every_lane_stays(lane_lanes)) && !smallest_turn(lane_words, lane_lanes)) return false;
    Basis reported;
    for (int i = 0; i < lane_bits; ++i) {
      const std::uint64_t f = after_[index(i)];
      lane_map_.columns[index(i)] = static_cast<std::uint32_t>(lane_lanes[index(i)] ^ combine(word_lanes_, f));
      reported.insert({lane_map_.columns[index(i)], lane_words[index(i)] ^ combine(word_words_, f)});
    }
    for (int i = 0; i < lane_bits; ++i) reported.insert({bit(i), 0});
    for (int i = 0; i < lane_bits; ++i) before_[index(i)] = reported.reduce({bit(i), 0}).tag;
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

  /// The F of least rank with which the lane that is read reports the word.
  bool smallest_turn(const std::array<std::uint64_t, lane_bits>& lane_words,
                     const std::array<std::uint64_t, lane_bits>& lane_lanes) {
    // Lane directions that read the same lane and another word of it.
    Basis lanes_read, words_reported;
    std::vector<std::uint64_t> ambiguous;
    for (int i = 0; i < lane_bits; ++i) {
      const auto left = lanes_read.reduce({lane_lanes[index(i)], bit(i)});
      if (left.vector != 0)
        lanes_read.insert({lane_lanes[index(i)], bit(i)});
      else if (words_reported.insert({combine(lane_words, left.tag), 0}))
        ambiguous.push_back(left.tag);
    }
    // Words that reach lanes which no lane direction reaches distinguish them.
    std::vector<std::uint64_t> helpers;
    for (std::size_t j = 0; j < word_lanes_.size(); ++j)
      if (lanes_read.insert({word_lanes_[j], 0})) helpers.push_back(bit(static_cast<int>(j)));
    for (std::size_t n = helpers.size(); n < ambiguous.size(); ++n) {
      if (++phantoms_ > most_phantoms) return false;
      helpers.push_back(bit(static_cast<int>(word_words_.size())));
      word_words_.push_back(combine(lane_words, ambiguous[n]));
      word_slots_.push_back(0);
      word_lanes_.push_back(0);
    }
    // A parity for each ambiguous direction that is odd on it and even on the others: its own lowest lane bit, after
    // that bit was removed from the others.
    for (std::size_t n = 0; n < ambiguous.size(); ++n)
      for (std::size_t other = 0; other < ambiguous.size(); ++other)
        if (other != n && has(ambiguous[other], std::countr_zero(ambiguous[n]))) ambiguous[other] ^= ambiguous[n];
    for (std::size_t n = 0; n < ambiguous.size(); ++n) after_[index(std::countr_zero(ambiguous[n]))] ^= helpers[n];
    // A phantom fetches the word that its direction reads.
    for (std::size_t n = ambiguous.size() - index(phantoms_); n < ambiguous.size(); ++n)
      word_words_[word_words_.size() - (ambiguous.size() - n)] = combine(lane_words, ambiguous[n]);
    return true;
  }

  void fetch(std::vector<Value>& words) {
    turn(b_, words, turns_of(before_));
    b_.stage("turn", words, true);
    const auto lane0 = static_cast<std::uint32_t>(map_.constant >> map_.local() & 31);
    const std::uint64_t turned = combine(before_, lane0);
    std::vector<Value> fetched(std::size_t{1} << word_words_.size());
    for (std::size_t k = 0; k < fetched.size(); ++k) {
      const std::uint64_t lanes_of_k = combine(word_lanes_, k);
      LaneMap from = lane_map_;
      from.constant = static_cast<std::uint32_t>(lanes_of_k) ^ lane0;
      fetched[k] = b_.shuffle(words[combine(word_words_, k) ^ combine(before_, lanes_of_k) ^ turned], from);
    }
    b_.stage("shuffle", fetched, true);
    turn(b_, fetched, turns_of(after_));
    fetched.resize(std::size_t{1} << travel_.word_directions().size());
    words = std::move(fetched);
  }

  /// Slots that lie otherwise in some words or lanes.
  void flip(std::vector<Value>& words) {
    LaneTable of_lanes;
    for (std::uint32_t lane = 0; lane < lanes; ++lane) {
      of_lanes[lane] = 0;
      for (int i = 0; i < lane_bits; ++i)
        if (has(lane, i)) of_lanes[lane] ^= lane_slots_[index(i)];
    }
    for (std::size_t k = 0; k < words.size(); ++k) {
      std::uint32_t of_word = 0;
      for (std::size_t j = 0; j < travel_.word_directions().size(); ++j)
        if ((k >> j & 1) != 0) of_word ^= word_slots_[j];
      LaneTable by = of_lanes;
      for (std::uint32_t& v : by) v ^= of_word;
      words[k] = travel_.flip(words[k], by);
    }
  }

  WordBuilder& b_;
  const PlaceMap& map_;
  Travel travel_;
  bool stay_;
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

/// The map that remains after the exchange.
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
  for (int i = 0; i < map.total(); ++i)
    if (map.roles[index(i)] != Role::free && map.columns[index(i)] != 0)
      goes_to[index(std::countr_zero(map.columns[index(i)]))] = i;
  const auto is_lane = [&](int i) { return i >= map.local() && i < map.local() + lane_bits; };
  for (int i = map.local() - 1; i >= 0; --i)
    if (goes_to[index(i)] >= 0 && is_lane(goes_to[index(i)])) locals.push_back(i);
  for (int i = map.local(); i < map.local() + lane_bits; ++i)
    if (has(map.from_bits, i) && !is_lane(goes_to[index(i)])) lanes_left.push_back(i);
  std::vector<std::pair<int, int>> out;
  for (const bool matching : {true, false})
    std::erase_if(locals, [&](int i) {
      auto lane = matching ? std::ranges::find(lanes_left, goes_to[index(i)]) : lanes_left.begin();
      if (lane == lanes_left.end()) return false;
      out.emplace_back(i, *lane);
      lanes_left.erase(lane);
      return true;
    });
  std::ranges::stable_sort(
      out, [&](const auto& a, const auto& b) { return (a.first >= map.slots) > (b.first >= map.slots); });
  return out;
}

std::optional<WarpPlan> plan_with(const PlaceMap& map, const std::vector<std::pair<int, int>>& exchanges,
                                  const std::vector<int>& groups, bool stay, std::size_t& written) {
  WordBuilder b(1 << map.registers);
  std::vector<Value> words;
  for (int r = 0; r < 1 << map.registers; ++r) {
    const bool exists = (static_cast<std::uint64_t>(r) << map.slots & ~map.from_bits) == 0;
    words.push_back(exists ? b.input(r) : nothing);
  }
  std::optional<Exchanged> exchanged = exchange(b, map, exchanges, groups, std::move(words));
  if (!exchanged) return std::nullopt;
  words = Move(b, exchanged->left, stay).run(std::move(exchanged->registers));
  if (words.empty()) return std::nullopt;
  words.resize(std::size_t{1} << map.to_registers);
  written += b.written();
  return WarpPlan{.groups = groups, .program = b.finish(words)};
}

/// A movmatrix of every register: slot 0 and lane bits 0 and 1 change places with lane bits 2, 3 and 4.
std::array<std::pair<int, int>, 3> matrix_pairs(const PlaceMap& map) {
  return {{{0, map.lane(2)}, {map.lane(0), map.lane(3)}, {map.lane(1), map.lane(4)}}};
}

std::uint64_t through_matrix(std::uint64_t place, const PlaceMap& map) {
  for (const auto& [a, b] : matrix_pairs(map)) place = swapped(place, a, b);
  return place;
}

/// All six bits hold elements on both sides: a movmatrix moves every one.
bool has_matrices(const PlaceMap& map) {
  if (map.element_bits != 16 || map.slots != 1) return false;
  for (const auto& [a, b] : matrix_pairs(map))
    for (const int i : {a, b})
      if (map.roles[index(i)] != Role::moves || !has(map.from_bits, i) || has(map.from_copies, i)) return false;
  return true;
}

bool no_worse(const Counts& a, const Counts& b) {
  return a.shuffles <= b.shuffles && a.selects <= b.selects && a.permutes + a.logic <= b.permutes + b.logic;
}

}  // namespace

std::vector<WarpPlan> warp_plans(const PlaceMap& map, const Effort& effort, bool* complete) {
  LS_CHECK(map.within_warps());
  const std::vector<std::pair<int, int>> exchanges = exchanges_of(map);
  std::vector<WarpPlan> front;
  const auto offer = [&](std::optional<WarpPlan> plan) {
    if (!plan) return;
    const Counts c = plan->program.counts();
    for (const WarpPlan& p : front)
      if (no_worse(p.program.counts(), c)) return;
    std::erase_if(front, [&](const WarpPlan& p) { return no_worse(c, p.program.counts()); });
    front.push_back(std::move(*plan));
  };
  // Every way to cut a beginning of the exchanges into groups, those of few groups first; exchanges one by one before
  // all, because with few instructions to spare they are the other end of the front.
  std::vector<std::vector<int>> ways;
  std::vector<int> groups;
  const auto all = [&](const auto& self, int left) -> void {
    ways.push_back(groups);
    for (int size = 1; size <= left; ++size) {
      groups.push_back(size);
      self(self, left - size);
      groups.pop_back();
    }
  };
  all(all, static_cast<int>(exchanges.size()));
  std::ranges::stable_sort(ways, {}, [](const std::vector<int>& w) {
    return std::pair{std::ranges::any_of(w, [](int size) { return size > 1; }), w.size()};
  });
  std::size_t written = 0;
  const auto start = std::chrono::steady_clock::now();
  const auto seconds = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(); };
  bool all_tried = true;
  for (const std::vector<int>& way : ways)
    for (const bool stay : {true, false}) {
      if (!front.empty() && (written >= effort.instructions || seconds() >= effort.seconds)) {
        all_tried = false;
        break;
      }
      offer(plan_with(map, exchanges, way, stay, written));
    }
  if (complete != nullptr) *complete = all_tried;
  std::ranges::stable_sort(front, [](const WarpPlan& a, const WarpPlan& b) {
    const Counts x = a.program.counts(), y = b.program.counts();
    return std::pair{x.shuffles, x.all()} < std::pair{y.shuffles, y.all()};
  });
  return front;
}

std::vector<std::pair<int, int>> slot_exchanges(const PlaceMap& map) {
  std::vector<std::pair<int, int>> out;
  if (!map.is_permutation()) return out;
  const auto moves = [&](int place) { return has(map.from_bits, place) && !has(map.from_copies, place); };
  std::uint64_t to_slots = 0;  // places of the source that go to slots
  for (int k = 0; k < map.slots; ++k)
    if (map.roles[index(k)] == Role::moves) to_slots |= map.columns[index(k)];
  std::uint64_t taken = 0;
  for (int k = 0; k < map.slots; ++k) {
    const std::uint64_t from = map.roles[index(k)] == Role::moves ? map.columns[index(k)] : 0;
    if ((from & map.lane_mask()) == 0 || !moves(std::countr_zero(from))) continue;
    for (int slot = 0; slot < map.slots; ++slot) {
      if (!moves(slot) || has(to_slots | taken, slot)) continue;
      taken |= bit(slot);
      out.emplace_back(slot, std::countr_zero(from));
      break;
    }
  }
  return out;
}

std::optional<Exchanged> exchange(WordBuilder& builder, const PlaceMap& map,
                                  std::span<const std::pair<int, int>> exchanges, std::span<const int> groups,
                                  std::vector<Value> registers) {
  Exchanged out{.registers = std::move(registers), .left = map};
  std::size_t done = 0;
  for (const int size : groups) {
    const std::span group = exchanges.subspan(done, index(size));
    out.registers = Move(builder, exchange_map(out.left, group), true).run(std::move(out.registers));
    if (out.registers.empty()) return std::nullopt;
    out.left = after_exchange(std::move(out.left), group);
    done += index(size);
  }
  return out;
}

std::optional<PlaceMap> after_matrix(const PlaceMap& map) {
  if (!has_matrices(map)) return std::nullopt;
  PlaceMap out = map;
  for (std::uint64_t& c : out.columns) c = through_matrix(c, map);
  out.constant = through_matrix(map.constant, map);
  out.from_bits = through_matrix(map.from_bits, map);
  out.from_copies = through_matrix(map.from_copies, map);
  return out;
}

std::optional<PlaceMap> before_matrix(const PlaceMap& map) {
  if (!has_matrices(map)) return std::nullopt;
  PlaceMap out = map;
  for (const auto& [a, b] : matrix_pairs(map)) {
    std::swap(out.columns[index(a)], out.columns[index(b)]);
    std::swap(out.roles[index(a)], out.roles[index(b)]);
  }
  return out;
}

std::optional<WarpPlan> matrix_plan(const PlaceMap& map) {
  if (!has_matrices(map)) return std::nullopt;
  std::optional<WarpPlan> best;
  const auto cycles = [](const WarpPlan& p) { return cycles_of(p.program.counts(), 0, 0, 0); };
  for (const bool first : {true, false}) {
    const PlaceMap left = first ? *after_matrix(map) : *before_matrix(map);
    for (const bool stay : {true, false}) {
      WordBuilder b(1 << map.registers);
      std::vector<Value> words;
      for (int r = 0; r < 1 << map.registers; ++r) {
        const bool exists = (static_cast<std::uint64_t>(r) << map.slots & ~map.from_bits) == 0;
        words.push_back(exists ? b.input(r) : nothing);
      }
      const auto all = [&] {
        for (Value& w : words) w = b.matrix(w);
        b.stage("matrix", words);
      };
      if (first) all();
      words = Move(b, left, stay).run(std::move(words));
      if (words.empty()) continue;
      words.resize(std::size_t{1} << map.to_registers);
      if (!first) all();
      WarpPlan next{.groups = {}, .program = b.finish(words)};
      if (next.program.counts().matrices > 0 && (!best || cycles(next) < cycles(*best))) best = std::move(next);
    }
  }
  return best;
}

std::string disprove(const WordProgram& program, const PlaceMap& map) {
  const PlaceCheck check(map, 0);
  for (int pass = 0; pass < check.passes(); ++pass) {
    const std::vector<Register> inputs = check.inputs(pass, 0), outputs = outputs_of(program, execute(program, inputs));
    if (std::string wrong = check.wrong({&inputs, 1}, {&outputs, 1}); !wrong.empty()) return wrong;
  }
  return {};
}

}  // namespace lanescope::convert
