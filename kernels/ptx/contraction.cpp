#include "kernels/ptx/contraction.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>

#include "kernels/ptx/graph.h"

namespace lanescope::ptx {

namespace {

using Kind = Operand::Kind;

bool is_register(const Operand& o) { return o.kind == Kind::reg && o.reg >= 0 && o.second_reg < 0 && !o.negated; }

/// An operation of floats that names no rounding, with plain registers or immediates.
bool is_contractible(const Instruction& i) {
  if (i.types.size() != 1 || i.operands.size() != 3 || !is_register(i.operands[0])) return false;
  if (!is_any(name_of(i.types[0]), {"f32", "f64", "f16", "f16x2", "bf16", "bf16x2"})) return false;
  if (std::ranges::any_of(i.modifiers, [](const std::string& m) { return is_any(m, {"rn", "rz", "rm", "rp"}); }))
    return false;
  return std::ranges::all_of(i.operands, [](const Operand& o) { return is_register(o) || o.kind == Kind::immediate; });
}
bool is_product(const Instruction& i) {
  return i.opcode == "mul" && i.predicate < 0 && !i.has("sat") && is_contractible(i);
}
bool is_sum(const Instruction& i) { return is_any(i.opcode, {"add", "sub"}) && is_contractible(i); }

bool is_pure(const Instruction& i) {
  return is_any(i.opcode, {"mov",  "cvt", "cvta", "add", "sub",  "mul",   "mad", "fma", "neg", "abs", "min",  "max",
                           "div",  "rem", "and",  "or",  "xor",  "not",   "shl", "shr", "bfe", "bfi", "lop3", "prmt",
                           "selp", "set", "setp", "rcp", "sqrt", "rsqrt", "ex2", "lg2", "sin", "cos", "tanh"}) &&
         !i.has("cc");
}

bool writes_first(const Instruction& i) {
  return !i.operands.empty() && !is_any(i.opcode, {"st", "red", "bra", "brx", "lanescope.probe"}) &&
         (i.operands[0].kind == Kind::reg || i.operands[0].kind == Kind::vector);
}
/// The accumulators of wgmma are read as well.
bool reads_first(const Instruction& i) { return !writes_first(i) || i.opcode == "wgmma"; }
void each_written(const Instruction& i, auto&& with) {
  if (writes_first(i)) each_register(i.operands[0], with);
}
void each_read(const Instruction& i, auto&& with) {
  if (i.opcode == "lanescope.probe") return;
  if (i.predicate >= 0) with(i.predicate);
  for (std::size_t o = reads_first(i) ? 0 : 1; o < i.operands.size(); ++o) each_register(i.operands[o], with);
}
bool writes(const Instruction& i, int reg) {
  bool found = false;
  each_written(i, [&](int r) { found = found || r == reg; });
  return found;
}
/// A set of registers.
class RegisterSet {
 public:
  explicit RegisterSet(std::size_t count) : words_((count + 63) / 64) {}
  bool has(int reg) const { return (words_[static_cast<std::size_t>(reg) / 64] >> (reg % 64) & 1) != 0; }
  void add(int reg) { words_[static_cast<std::size_t>(reg) / 64] |= std::uint64_t{1} << (reg % 64); }
  void remove(int reg) { words_[static_cast<std::size_t>(reg) / 64] &= ~(std::uint64_t{1} << (reg % 64)); }
  void add(const RegisterSet& other) {
    for (std::size_t w = 0; w < words_.size(); ++w) words_[w] |= other.words_[w];
  }
  bool operator==(const RegisterSet&) const = default;

 private:
  std::vector<std::uint64_t> words_;
};

/// RegisterSet read after each block, and the instructions whose results nothing reads.
struct Liveness {
  std::vector<RegisterSet> after;  ///< by block
  std::vector<bool> dead;          ///< by instruction

  Liveness(const Entry& entry, const Graph& g)
      : after(g.blocks.size(), RegisterSet(entry.registers.size())), dead(entry.code.size()) {
    std::vector<RegisterSet> before = after;
    for (const Param& p : entry.returns)
      if (p.reg >= 0) before.back().add(p.reg);
    const RegisterSet at_end = before.back();
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t b = g.blocks.size() - 1; b-- > 0;) {
        const Block& block = g.blocks[b];
        RegisterSet live(entry.registers.size());
        if (block.ends || block.end >= 0) live = at_end;
        for (const int to : block.next) live.add(before[static_cast<std::size_t>(to)]);
        after[b] = live;
        for (int n = block.last; n >= block.first; --n) {
          const Instruction& i = entry.code[static_cast<std::size_t>(n)];
          bool read = !is_pure(i);
          each_written(i, [&](int r) { read = read || live.has(r); });
          dead[static_cast<std::size_t>(n)] = !read;
          if (!read) continue;
          if (i.predicate < 0) each_written(i, [&](int r) { live.remove(r); });
          each_read(i, [&](int r) { live.add(r); });
        }
        changed = changed || live != before[b];
        before[b] = std::move(live);
      }
    }
  }
};

struct Use {
  int sum = 0, operand = 1;
  bool negated = false;
};

class Contractions {
 public:
  explicit Contractions(const Entry& entry)
      : entry_(entry),
        graph_(entry),
        live_(entry, graph_),
        definitions_(entry.registers.size()),
        readers_(entry.registers.size()) {
    place_stretches();
    std::vector<int> in_order;
    for (const std::vector<int>& stretch : stretches_) in_order.insert(in_order.end(), stretch.begin(), stretch.end());
    for (const int n : in_order) {
      const auto add = [&](std::vector<std::vector<int>>& to, int r) {
        std::vector<int>& list = to[static_cast<std::size_t>(r)];
        if (list.empty() || list.back() != n) list.push_back(n);
      };
      each_written(code(n), [&](int r) { add(definitions_, r); });
      if (!live_.dead[static_cast<std::size_t>(n)]) each_read(code(n), [&](int r) { add(readers_, r); });
    }
  }

  std::vector<Contraction> find() {
    for (std::size_t n = 0; n < entry_.code.size(); ++n) {
      const Instruction& i = code(static_cast<int>(n));
      if (!is_product(i) || live_.dead[n]) continue;
      const std::optional<std::uint64_t> first = immediate(i.operands[1]), second = immediate(i.operands[2]);
      if ((first && second) || is_unit(i, first) || is_unit(i, second)) continue;
      anywhere_ = first || second || is_parameter(i.operands[1]) || is_parameter(i.operands[2]);
      if (std::vector<Use> uses = sums_of(static_cast<int>(n)); !uses.empty())
        products_[static_cast<int>(n)] = std::move(uses);
    }
    std::vector<Contraction> out;
    if (products_.empty()) return out;
    out.resize(entry_.code.size());
    contract(out, true);
    contract(out, false);
    for (const Contraction& c : out)
      if (c.product >= 0) {
        const auto sum = static_cast<int>(&c - out.data());
        Contraction& product = out[static_cast<std::size_t>(c.product)];
        product.copies = product.copies || factors_change(c.product, sum);
      }
    return out;
  }

 private:
  const Instruction& code(int n) const { return entry_.code[static_cast<std::size_t>(n)]; }

  /// Stretches that ptxas sees as one block: blocks joined by the only way out of one and into the other, cut at calls.
  void place_stretches() {
    stretch_.assign(entry_.code.size(), -1);
    place_.assign(entry_.code.size(), 0);
    const auto follows = [&](int b) {
      const Block& block = graph_.blocks[static_cast<std::size_t>(b)];
      if (block.ends || block.end >= 0 || block.next.size() != 1) return -1;
      const int to = block.next[0];
      const bool only = graph_.before[static_cast<std::size_t>(to)].size() == 1 && to != 0;
      return only && static_cast<std::size_t>(to) + 1 < graph_.blocks.size() ? to : -1;
    };
    std::vector<bool> is_first(graph_.blocks.size(), true);
    for (std::size_t b = 0; b + 1 < graph_.blocks.size(); ++b)
      if (const int to = follows(static_cast<int>(b)); to >= 0) is_first[static_cast<std::size_t>(to)] = false;
    const auto is_placed = [&](int b) {
      return stretch_[static_cast<std::size_t>(graph_.blocks[static_cast<std::size_t>(b)].first)] >= 0;
    };
    const auto place = [&](int b) {
      stretches_.emplace_back();
      int last = -1;
      for (int at = b; at >= 0 && !is_placed(at); last = at, at = follows(at))
        for (int n = graph_.blocks[static_cast<std::size_t>(at)].first;
             n <= graph_.blocks[static_cast<std::size_t>(at)].last; ++n) {
          if (code(n).opcode == "call" && !stretches_.back().empty()) {
            block_after_.push_back(-1);
            stretches_.emplace_back();
          }
          stretch_[static_cast<std::size_t>(n)] = static_cast<int>(stretches_.size()) - 1;
          place_[static_cast<std::size_t>(n)] = static_cast<int>(stretches_.back().size());
          stretches_.back().push_back(n);
        }
      block_after_.push_back(last);
    };
    const int blocks = static_cast<int>(graph_.blocks.size()) - 1;
    for (int b = 0; b < blocks; ++b)
      if (is_first[static_cast<std::size_t>(b)]) place(b);
    // A round that nothing leads into.
    for (int b = 0; b < blocks; ++b)
      if (!is_placed(b)) place(b);
  }

  std::optional<std::uint64_t> immediate(const Operand& o) const {
    if (o.kind == Kind::immediate) return o.bits;
    const Instruction* i = only_definition(o);
    if (i == nullptr || i->opcode != "mov" || i->operands.size() != 2) return std::nullopt;
    return i->operands[1].kind == Kind::immediate ? std::optional(i->operands[1].bits) : std::nullopt;
  }
  bool is_parameter(const Operand& o) const {
    const Instruction* i = only_definition(o);
    return i != nullptr && i->opcode == "ld" && i->has("param") && !entry_.is_function && i->operands.size() == 2 &&
           is_register(i->operands[0]) && i->operands[1].symbol_scope == Operand::Scope::param;
  }
  const Instruction* only_definition(const Operand& o) const {
    if (!is_register(o)) return nullptr;
    const std::vector<int>& at = definitions_[static_cast<std::size_t>(o.reg)];
    return at.size() == 1 && code(at[0]).predicate < 0 ? &code(at[0]) : nullptr;
  }
  /// A factor of 1 or -1: no product is left.
  static bool is_unit(const Instruction& i, const std::optional<std::uint64_t>& factor) {
    if (!factor) return false;
    return i.types[0] == Type::f64 ? (*factor << 1) == 0x7fe0000000000000u : (*factor & 0x7fffffffu) == 0x3f800000u;
  }

  /// A register that holds the product from an instruction on.
  struct Holder {
    int reg = 0, from = 0;
    bool negated = false;
  };

  /// The sums that read a product; none if something else reads it, too, or a sum that cannot be contracted.
  std::vector<Use> sums_of(int product) const {
    std::vector<Use> uses;
    std::vector<Holder> open{{code(product).operands[0].reg, product}};
    while (!open.empty()) {
      const Holder holder = open.back();
      open.pop_back();
      if (!follow(code(product), holder, open, uses)) return {};
    }
    std::set<int> sums;
    const bool once = std::ranges::all_of(uses, [&](const Use& u) { return sums.insert(u.sum).second; });
    return once ? uses : std::vector<Use>{};
  }

  using Place = std::pair<int, int>;  ///< stretch, and where in it
  Place place_of(int n) const { return {stretch_[static_cast<std::size_t>(n)], place_[static_cast<std::size_t>(n)]}; }
  /// Those of a list in the order of places that come after `from` in its stretch.
  std::span<const int> after(const std::vector<int>& list, int from) const {
    const auto [stretch, place] = place_of(from);
    const auto by_place = [&](int n) { return place_of(n); };
    const auto begin = std::ranges::upper_bound(list, Place{stretch, place}, {}, by_place);
    return {begin, std::ranges::lower_bound(begin, list.end(), Place{stretch + 1, 0}, {}, by_place)};
  }

  bool follow(const Instruction& product, const Holder& holder, std::vector<Holder>& open,
              std::vector<Use>& uses) const {
    const auto reg = static_cast<std::size_t>(holder.reg);
    const std::span<const int> writers = after(definitions_[reg], holder.from);
    for (const int n : after(readers_[reg], holder.from)) {
      if (!writers.empty() && place_of(n) > place_of(writers[0])) break;
      if (!read_by(product, holder, n, open, uses)) return false;
    }
    if (!writers.empty()) return code(writers[0]).predicate < 0;
    const int stretch = place_of(holder.from).first, last = block_after_[static_cast<std::size_t>(stretch)];
    if (last >= 0 && !live_.after[static_cast<std::size_t>(last)].has(holder.reg)) return true;
    if (definitions_[reg].size() != 1) return false;
    for (const int n : readers_[reg]) {
      if (place_of(n).first == stretch && place_of(n) > place_of(holder.from)) continue;
      if (place_of(n).first == stretch || !anywhere_ || !read_by(product, holder, n, open, uses)) return false;
    }
    return true;
  }

  bool read_by(const Instruction& product, const Holder& holder, int n, std::vector<Holder>& open,
               std::vector<Use>& uses) const {
    const Instruction& i = code(n);
    const bool same_flush = i.has("ftz") == product.has("ftz");
    if (is_sum(i) && i.types == product.types && same_flush) {
      const bool first = i.operands[1].reg == holder.reg, second = i.operands[2].reg == holder.reg;
      uses.push_back({n, first ? 1 : 2, holder.negated});
      return !(first && second);
    }
    if (i.predicate >= 0 || i.operands.size() != 2 || !is_register(i.operands[0]) || !is_register(i.operands[1]) ||
        i.types.size() != 1 || bits_of(i.types[0]) != bits_of(product.types[0]))
      return false;
    const bool negates = i.opcode == "neg" && i.types == product.types && same_flush;
    // Written as multiplications in the machine code.
    if (negates && (i.types[0] == Type::bf16x2 || (i.has("ftz") && i.types[0] != Type::f32))) return false;
    if (!negates && i.opcode != "mov") return false;
    open.push_back({i.operands[0].reg, n, holder.negated != negates});
    return true;
  }

  void contract(std::vector<Contraction>& out, bool read_once) {
    std::map<int, std::vector<std::pair<int, Use>>> by_sum;
    for (const auto& [product, uses] : products_)
      for (const Use& u : uses) by_sum[u.sum].emplace_back(product, u);
    for (auto& [sum, of] : by_sum) {
      if (out[static_cast<std::size_t>(sum)].product >= 0) continue;
      const auto readers = [&](const std::pair<int, Use>& c) { return products_.at(c.first).size(); };
      std::erase_if(of, [&](const auto& c) { return !products_.contains(c.first) || (read_once && readers(c) != 1); });
      if (of.empty()) continue;
      const auto [product, use] = *std::ranges::min_element(
          of, {}, [&](const std::pair<int, Use>& c) { return std::pair(readers(c), c.second.operand); });
      out[static_cast<std::size_t>(sum)] = {.product = product, .operand = use.operand, .negated = use.negated};
      // The other term is rounded.
      std::erase_if(products_, [&, sum = sum](const auto& p) {
        return p.first != product && std::ranges::find(p.second, sum, &Use::sum) != p.second.end();
      });
    }
  }

  /// Whether a register that holds a factor is written from the product on until the sum.
  bool factors_change(int product, int sum) const {
    const Instruction& i = code(product);
    for (const Operand& factor : {i.operands[1], i.operands[2]}) {
      if (!is_register(factor)) continue;
      if (place_of(product).first != place_of(sum).first) {
        if (only_definition(factor) == nullptr) return true;
        continue;
      }
      if (writes(i, factor.reg)) return true;
      const std::span<const int> writers = after(definitions_[static_cast<std::size_t>(factor.reg)], product);
      if (!writers.empty() && place_of(writers[0]) < place_of(sum)) return true;
    }
    return false;
  }

  const Entry& entry_;
  Graph graph_;
  Liveness live_;
  std::vector<std::vector<int>> definitions_, readers_;  ///< by register: instructions in the order of their places
  std::vector<std::vector<int>> stretches_;              ///< instructions in the order of execution
  std::vector<int> stretch_, place_;                     ///< by instruction: its stretch, and where in it
  std::vector<int> block_after_;                         ///< by stretch: the block at its end; -1: a call follows
  std::map<int, std::vector<Use>> products_;             ///< those that can be contracted
  bool anywhere_ = false;                                ///< the current product's readers may be in other blocks
};

}  // namespace

std::vector<Contraction> contractions(const Entry& entry) {
  const bool any = std::ranges::any_of(entry.code, is_product) && std::ranges::any_of(entry.code, is_sum);
  return any ? Contractions(entry).find() : std::vector<Contraction>{};
}

}  // namespace lanescope::ptx
