#include "tests/contracts/cases/generated.h"

#include <algorithm>
#include <optional>
#include <random>

#include <fmt/format.h>

namespace lanescope::contracts {
namespace {

// A place is register | lane << R | warp << (R + 5); an element is a number of as many bits. A table holds the element
// at each place.
using Table = std::vector<std::uint32_t>;
using Map = std::vector<std::uint32_t>;  ///< after a step, place p holds what place map[p] held

struct Function {
  std::string name;
  int registers = 1, warps = 0;  ///< bits
  Map effect;
};

class Maker {
 public:
  Maker(std::uint64_t seed, int functions) : random_(seed) {
    line("// Generated.");
    for (int n = 0; n < functions; ++n) function(n);
    out_.functions = functions;
  }
  Generated take() { return std::move(out_); }

 private:
  int below(int n) { return static_cast<int>(random_() % static_cast<std::uint64_t>(n)); }
  void line(const std::string& text) {
    out_.text += text + "\n";
    ++lines_;
  }
  int bits() const { return f_.registers + 5 + f_.warps; }
  std::uint32_t places() const { return 1u << bits(); }

  /// Which logical bit each physical bit holds, as rows.
  int claim(const std::vector<int>& held, const std::string& words) {
    line("  // " + words);
    const int first = lines_ + 1;
    int at = 0;
    const auto row = [&](const char* name, char letter, int count) {
      if (count == 0) return;
      std::string left, right;
      for (int i = count - 1; i >= 0; --i) {
        left += fmt::format("{}{} ", letter, i);
        right += " " + names_[static_cast<std::size_t>(held[static_cast<std::size_t>(at + i)])];
      }
      at += count;
      line(fmt::format("  //   {}: {}<->{}", name, left, right));
    };
    row("register", 'r', f_.registers);
    row("thread", 't', 5);
    row("warp", 'w', f_.warps);
    return first;
  }

  /// Place p holds an element whose bit held[b] is bit b of p.
  static bool is_true(const std::vector<int>& held, const Table& table) {
    for (std::uint32_t p = 0; p < table.size(); ++p)
      for (std::size_t b = 0; b < held.size(); ++b)
        if ((table[p] >> held[b] & 1) != (p >> b & 1)) return false;
    return true;
  }

  void apply(const Map& map, Table& table) const {
    Table next(table.size());
    for (std::uint32_t p = 0; p < table.size(); ++p) next[p] = table[map[p]];
    table = std::move(next);
  }

  static std::uint32_t exchanged(std::uint32_t p, int a, int b) {
    const std::uint32_t x = (p >> a ^ p >> b) & 1;
    return p ^ (x << a | x << b);
  }
  Map exchange(int a, int b) const {
    Map map(places());
    for (std::uint32_t p = 0; p < map.size(); ++p) map[p] = exchanged(p, a, b);
    return map;
  }

  /// Writes a step, and returns what it does.
  Map local(int a, int b, bool wrong) {
    Map map(places());
    for (std::uint32_t p = 0; p < map.size(); ++p) map[p] = p;
    bool skipped = false;
    for (int r = 0; r < 1 << f_.registers; ++r) {
      const int other = static_cast<int>(exchanged(static_cast<std::uint32_t>(r), a, b));
      if (other <= r) continue;
      if (wrong && !skipped) {
        skipped = true;
        continue;
      }
      line(fmt::format("  {{ const unsigned x = V[{0}]; V[{0}] = V[{1}]; V[{1}] = x; }}", r, other));
      for (std::uint32_t rest = 0; rest < places() >> f_.registers; ++rest) {
        map[rest << f_.registers | static_cast<std::uint32_t>(r)] =
            rest << f_.registers | static_cast<std::uint32_t>(other);
        map[rest << f_.registers | static_cast<std::uint32_t>(other)] =
            rest << f_.registers | static_cast<std::uint32_t>(r);
      }
    }
    if (skipped) line("  ;");  // there may be no other statement
    return map;
  }

  Map shuffled(int a, int lane_bit, bool wrong) {
    const int mask_bit = wrong ? (lane_bit + 1) % 5 : lane_bit;
    line("  {");
    line(fmt::format("    const bool high = threadIdx.x & {};", 1 << lane_bit));
    Map map(places());
    for (std::uint32_t p = 0; p < map.size(); ++p) map[p] = p;
    for (int r = 0; r < 1 << f_.registers; ++r) {
      if (r >> a & 1) continue;
      const int upper = r | 1 << a;
      line(
          fmt::format("    {{ unsigned s = high ? V[{0}] : V[{1}]; s = __shfl_xor_sync(0xffffffffu, s, {2}); "
                      "if (high) V[{0}] = s; else V[{1}] = s; }}",
                      r, upper, 1 << mask_bit));
      // A lane gives the register that the other kind of lane does not keep, and takes what its partner gives.
      for (std::uint32_t rest = 0; rest < places() >> f_.registers; ++rest) {
        const std::uint32_t partner = rest ^ 1u << mask_bit;
        const bool high = rest >> lane_bit & 1, partner_high = partner >> lane_bit & 1;
        const auto taken_into = static_cast<std::uint32_t>(high ? r : upper);
        const auto given = static_cast<std::uint32_t>(partner_high ? r : upper);
        map[rest << f_.registers | taken_into] = partner << f_.registers | given;
      }
    }
    line("  }");
    return map;
  }

  /// Through shared memory: place p gets what the place had whose bits are those of p, in another order.
  Map gathered(const std::vector<int>& from, bool wrong) {
    std::vector<int> used = from;
    if (wrong) std::swap(used[0], used[static_cast<std::size_t>(1 + below(bits() - 1))]);
    line("  {");
    line(fmt::format("    __shared__ unsigned memory[{}];", places()));
    line("    __syncthreads();");
    line(fmt::format("    for (unsigned r = 0; r < {0}; ++r) memory[r | threadIdx.x << {1}] = V[r];", 1 << f_.registers,
                     f_.registers));
    line("    __syncthreads();");
    std::string index;
    for (int b = 0; b < bits(); ++b)
      index += fmt::format("{}(p >> {} & 1) << {}", b ? " | " : "", b, used[static_cast<std::size_t>(b)]);
    line(fmt::format(
        "    for (unsigned r = 0; r < {}; ++r) {{ const unsigned p = r | threadIdx.x << {}; V[r] = memory[{}]; }}",
        1 << f_.registers, f_.registers, index));
    line("    __syncthreads();");
    line("  }");
    Map map(places());
    for (std::uint32_t p = 0; p < map.size(); ++p) {
      map[p] = 0;
      for (int b = 0; b < bits(); ++b) map[p] |= (p >> b & 1) << used[static_cast<std::size_t>(b)];
    }
    return map;
  }

  void name_axes(int n) {
    // Each function has axes of its own: comments of a function that it calls are about other arrays.
    const std::string first = fmt::format("{}x", static_cast<char>('a' + n % 26)),
                      second = fmt::format("{}y", static_cast<char>('a' + n % 26));
    const int of_first = 1 + below(bits() - 1);
    names_.clear();
    for (int b = 0; b < bits(); ++b)
      names_.push_back(b < of_first ? fmt::format("{}{}", first, b) : fmt::format("{}{}", second, b - of_first));
  }

  void function(int n) {
    f_ = {.name = fmt::format("f{}", n), .registers = 1 + below(3), .warps = below(3), .effect = {}};
    name_axes(n);
    std::vector<int> held(static_cast<std::size_t>(bits()));
    for (int b = 0; b < bits(); ++b) held[static_cast<std::size_t>(b)] = b;
    std::shuffle(held.begin(), held.end(), random_);

    enum class Mistake { none, input, step, comment };
    const int steps = 1 + below(4);
    const Mistake mistake = below(3) > 0 ? Mistake::none : static_cast<Mistake>(1 + below(3));
    const int at = below(steps);
    out_.mistakes += mistake != Mistake::none ? 1 : 0;

    line(fmt::format("__device__ void {}(unsigned V[{}]) {{", f_.name, 1 << f_.registers));
    std::vector<int> stated = held;
    if (mistake == Mistake::input) {
      const int a = below(bits());
      std::swap(stated[static_cast<std::size_t>(a)],
                stated[static_cast<std::size_t>((a + 1 + below(bits() - 1)) % bits())]);
    }
    out_.claims.push_back({.line = claim(stated, "Input:"), .given = true, .holds = true, .function = n});
    Table table(places());
    for (std::uint32_t p = 0; p < table.size(); ++p)
      for (std::size_t b = 0; b < stated.size(); ++b) table[p] |= (p >> b & 1) << stated[b];
    Map effect(places());
    for (std::uint32_t p = 0; p < effect.size(); ++p) effect[p] = p;

    for (int s = 0; s < steps; ++s) {
      const bool wrong = mistake == Mistake::step && s == at;
      const Map map = step(wrong, held);
      apply(map, table);
      Map next(places());
      for (std::uint32_t p = 0; p < next.size(); ++p) next[p] = effect[map[p]];
      effect = std::move(next);
      const bool says = s + 1 == steps || below(3) > 0 || (mistake == Mistake::comment && s == at);
      if (!says) continue;
      std::vector<int> said = held;
      if (mistake == Mistake::comment && s == at) {
        const int a = below(bits());
        std::swap(said[static_cast<std::size_t>(a)],
                  said[static_cast<std::size_t>((a + 1 + below(bits() - 1)) % bits())]);
      }
      const int first = claim(said, s + 1 == steps ? "Output:" : "V has register assignment:");
      out_.claims.push_back({.line = first, .given = false, .holds = is_true(said, table), .function = n});
    }
    line("}");
    f_.effect = std::move(effect);
    made_.push_back(f_);
  }

  /// A step, right or wrong; `held` becomes what its author believes.
  Map step(bool wrong, std::vector<int>& held) {
    const int kind = below(4);
    const auto exchange_held = [&](int a, int b) {
      std::swap(held[static_cast<std::size_t>(a)], held[static_cast<std::size_t>(b)]);
    };
    std::vector<const Function*> callable;
    for (const Function& g : made_)
      if (g.registers == f_.registers && g.warps == f_.warps) callable.push_back(&g);
    if (kind == 0 && !callable.empty() && !wrong) {
      const Function& g = *callable[static_cast<std::size_t>(below(static_cast<int>(callable.size())))];
      line(fmt::format("  {}(V);", g.name));
      // Its author looks at what it does: bit by bit, where that is a permutation of bits.
      if (std::optional<std::vector<int>> order = bit_order(g.effect)) {
        const std::vector<int> before = held;
        for (int b = 0; b < bits(); ++b)
          held[static_cast<std::size_t>(b)] = before[static_cast<std::size_t>((*order)[static_cast<std::size_t>(b)])];
      }
      return g.effect;
    }
    if (kind == 1 && f_.registers > 1) {
      const int a = below(f_.registers), b = (a + 1 + below(f_.registers - 1)) % f_.registers;
      exchange_held(a, b);
      return local(a, b, wrong);
    }
    if (kind == 2) {
      std::vector<int> from(static_cast<std::size_t>(bits()));
      for (int b = 0; b < bits(); ++b) from[static_cast<std::size_t>(b)] = b;
      std::shuffle(from.begin(), from.end(), random_);
      const std::vector<int> before = held;
      for (int b = 0; b < bits(); ++b)
        held[static_cast<std::size_t>(b)] = before[static_cast<std::size_t>(from[static_cast<std::size_t>(b)])];
      return gathered(from, wrong);
    }
    const int a = below(f_.registers), t = below(5);
    exchange_held(a, f_.registers + t);
    return shuffled(a, t, wrong);
  }

  /// Place p gets what place q had, where bit order[b] of q is bit b of p; nullopt: it is no such map.
  std::optional<std::vector<int>> bit_order(const Map& map) const {
    std::vector<int> order;
    for (int b = 0; b < bits(); ++b) {
      const std::uint32_t image = map[1u << b];
      if (map[0] != 0 || image == 0 || (image & (image - 1)) != 0) return std::nullopt;
      int bit = 0;
      while (image >> bit != 1) ++bit;
      order.push_back(bit);
    }
    for (std::uint32_t p = 0; p < map.size(); ++p) {
      std::uint32_t image = 0;
      for (int b = 0; b < bits(); ++b) image |= (p >> b & 1) << order[static_cast<std::size_t>(b)];
      if (map[p] != image) return std::nullopt;
    }
    return order;
  }

  std::mt19937_64 random_;
  Generated out_;
  int lines_ = 0;
  Function f_;
  std::vector<Function> made_;
  std::vector<std::string> names_;
};

}  // namespace

Generated generate(std::uint64_t seed, int functions) { return Maker(seed, functions).take(); }

}  // namespace lanescope::contracts
