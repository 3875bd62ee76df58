#include "kernels/convert/cuda_text.h"

#include <algorithm>
#include <bit>

#include <fmt/format.h>

#include "kernels/base/check.h"

namespace lanescope::convert {
namespace {

/// Who takes what from where in which round.
class Rounds {
 public:
  explicit Rounds(int words)
      : words_(words), twos_(std::min(lane_bits, std::countr_zero(static_cast<unsigned>(words)))) {}

  int upper(int lane) const { return twos_ == 0 ? 0 : lane >> (lane_bits - twos_); }
  int word(int round, int lane) const { return (round + upper(lane)) % words_; }
  int source(int round, int lane) const { return (lane * words_ + word(round, lane)) % lanes; }
  int source_register(int round, int lane) const { return (lane * words_ + word(round, lane)) / lanes; }
  /// The lane that reads from `lane`.
  int reader(int round, int lane) const {
    for (int t = 0; t < lanes; ++t)
      if (source(round, t) == lane) return t;
    return -1;
  }

  std::string source_text(int round) const {
    if (twos_ == 0) return fmt::format("(lane * {} + {}) & 31", words_, round);
    return fmt::format("(lane * {0} + ({1} + (lane >> {2})) % {0}) & 31", words_, round, lane_bits - twos_);
  }
  std::string reader_text(int round) const {
    const int odd = words_ >> twos_, room = lanes >> twos_;
    int inverse = 1;
    while (odd * inverse % room != 1 % room) inverse += 1;
    if (twos_ == 0) return fmt::format("((lane + {}) * {}) & 31", (lanes - round % lanes) % lanes, inverse);
    const std::string upper = fmt::format("((lane - {}) & {})", round, (1 << twos_) - 1);
    return fmt::format("({0} << {1}) | (((((lane - ({2} + {0}) % {3}) & 31) >> {4}) * {5}) & {6})", upper,
                       lane_bits - twos_, round, words_, twos_, inverse, room - 1);
  }

 private:
  int words_, twos_;
};

LaneTable lane_table(auto value) {
  LaneTable out;
  for (int lane = 0; lane < lanes; ++lane)
    out[static_cast<std::size_t>(lane)] = static_cast<std::uint32_t>(value(lane));
  return out;
}

struct StructBuilder {
  int words;
  Rounds rounds;
  WordBuilder b;
  std::vector<std::pair<LaneTable, std::string>> spelled{};

  explicit StructBuilder(int n) : words(n), rounds(n), b(n) {}

  /// Word j of the result is word j + by(lane), modulo their number.
  void rotate(std::vector<Value>& v, const LaneTable& by, const std::string& text) {
    for (int stage = 0; 1 << stage < words; ++stage) {
      const LaneTable odd = lane_table([&](int lane) { return by[static_cast<std::size_t>(lane)] >> stage & 1; });
      if (odd == LaneTable{}) continue;
      spelled.emplace_back(odd, fmt::format("({} & {}) != 0", text, 1 << stage));
      std::vector<Value> next;
      for (std::size_t j = 0; j < v.size(); ++j)
        next.push_back(b.choose(odd, v[j], v[(j + (std::size_t{1} << stage)) % v.size()]));
      v = std::move(next);
    }
  }
  Value fetch(Value v, const LaneTable& from, std::string text) {
    spelled.emplace_back(from, std::move(text));
    return b.fetch(v, from);
  }
};

}  // namespace

StructPlan struct_plan(int words, StructPlan::Direction direction) {
  LS_CHECK_LE(1, words);
  LS_CHECK_LE(words, most_struct_words);
  StructBuilder s(words);
  const Rounds& rounds = s.rounds;
  const auto n = static_cast<std::size_t>(words);
  // The register that each lane gives in each round: lane 0's order, rotated.
  std::vector<int> order;
  for (int r = 0; r < words; ++r) order.push_back(rounds.source_register(r, rounds.reader(r, 0)));
  const LaneTable turn = lane_table([&](int lane) {
    for (int by = 0; by < words; ++by) {
      bool same = true;
      for (int r = 0; r < words && same; ++r)
        same = rounds.source_register(r, rounds.reader(r, lane)) == order[static_cast<std::size_t>((r + by) % words)];
      if (same) return by;
    }
    return words;  // never: asserted below
  });
  LS_CHECK_LT(*std::ranges::max_element(turn), static_cast<std::uint32_t>(words));
  std::string turn_text;
  // turn = (lane * factor) mod W, shifted first where W is even: found by trying.
  for (int shift = 0; shift <= lane_bits && turn_text.empty(); ++shift)
    for (int factor = 0; factor < words && turn_text.empty(); ++factor)
      if (turn == lane_table([&](int lane) { return (lane >> shift) * factor % words; }))
        turn_text = shift == 0 ? fmt::format("lane * {} % {}", factor, words)
                               : fmt::format("(lane >> {}) * {} % {}", shift, factor, words);
  if (turn_text.empty()) turn_text = "0";
  const bool known = turn_text != "0";
  const LaneTable back =
      lane_table([&](int lane) { return (words - static_cast<int>(turn[static_cast<std::size_t>(lane)])) % words; });
  const LaneTable upper = lane_table([&](int lane) { return rounds.upper(lane) % words; });
  const LaneTable upper_back = lane_table([&](int lane) { return (words - rounds.upper(lane) % words) % words; });
  const int shift = lane_bits - std::min(lane_bits, std::countr_zero(static_cast<unsigned>(words)));
  const std::string upper_text = fmt::format("(lane >> {}) % {}", shift, words);

  std::vector<Value> v;
  StructPlan out{.words = words, .direction = direction, .program = {}, .least_shuffles = 0};
  if (direction == StructPlan::Direction::to_lanes) {
    for (const int k : order) v.push_back(s.b.input(k));
    s.rotate(v, turn, turn_text);
    for (int r = 0; r < words; ++r)
      v[static_cast<std::size_t>(r)] =
          s.fetch(v[static_cast<std::size_t>(r)], lane_table([&](int t) { return rounds.source(r, t); }),
                  rounds.source_text(r));
    s.rotate(v, upper_back, fmt::format("({} - {}) % {}", words, upper_text, words));
  } else {
    for (int f = 0; f < words; ++f) v.push_back(s.b.input(f));
    s.rotate(v, upper, upper_text);
    for (int r = 0; r < words; ++r)
      v[static_cast<std::size_t>(r)] =
          s.fetch(v[static_cast<std::size_t>(r)], lane_table([&](int l) { return rounds.reader(r, l); }),
                  rounds.reader_text(r));
    s.rotate(v, back, fmt::format("({} - {}) % {}", words, turn_text, words));
    std::vector<Value> placed(n, nothing);
    for (std::size_t j = 0; j < n; ++j) placed[static_cast<std::size_t>(order[j])] = v[j];
    v = std::move(placed);
  }
  out.program = s.b.finish(v);
  if (known) out.program.spelled = std::move(s.spelled);
  for (int lane = 0; lane < lanes; ++lane) {
    int others = 0;
    for (int f = 0; f < words; ++f) others += (lane * words + f) % lanes != lane ? 1 : 0;
    out.least_shuffles = std::max(out.least_shuffles, others);
  }
  return out;
}

std::string disprove(const StructPlan& plan) {
  std::vector<Register> dealt(static_cast<std::size_t>(plan.words)), own = dealt;
  for (std::uint32_t w = 0; w < static_cast<std::uint32_t>(plan.words); ++w)
    for (std::uint32_t lane = 0; lane < lanes; ++lane) {
      dealt[w][lane] = w * lanes + lane;
      own[w][lane] = lane * static_cast<std::uint32_t>(plan.words) + w;
    }
  const bool gathers = plan.direction == StructPlan::Direction::to_lanes;
  const std::vector<Register> out = outputs_of(plan.program, execute(plan.program, gathers ? dealt : own));
  const std::vector<Register>& wanted = gathers ? own : dealt;
  for (std::size_t w = 0; w < wanted.size(); ++w)
    for (std::size_t lane = 0; lane < lanes; ++lane)
      if (w >= out.size() || out[w][lane] != wanted[w][lane])
        return fmt::format("register {} of lane {} is wrong", w, lane);
  return {};
}

}  // namespace lanescope::convert
