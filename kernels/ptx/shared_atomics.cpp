#include "kernels/ptx/value_numbers.h"

#include <algorithm>
#include <initializer_list>
#include <string_view>

namespace lanescope::ptx {
namespace {

/// How often each register occurs, and the one instruction that moves something into it.
class Registers {
 public:
  explicit Registers(const Entry& entry) {
    for (const Instruction& i : entry.code) {
      if (i.opcode == "lanescope.probe") continue;
      if (i.predicate >= 0) ++uses(i.predicate);
      for (const Operand& o : i.operands) count(o);
      if (i.operands.empty() || i.operands[0].kind != Operand::Kind::reg) continue;
      const int written = i.operands[0].reg;
      ++at(writes_, written);
      if (i.opcode == "mov" && i.operands.size() == 2 && i.predicate < 0) at(moved_, written) = &i.operands[1];
    }
  }
  int occurrences(int reg) const {
    return reg < 0 || static_cast<std::size_t>(reg) >= uses_.size() ? 0 : uses_[static_cast<std::size_t>(reg)];
  }
  /// The first operand of a chain of moves, each the only write of its register; `o` itself if there is no chain.
  const Operand& origin(const Operand& o) const {
    const Operand* now = &o;
    for (int steps = 0; steps < 8 && (now->kind == Operand::Kind::reg || now->kind == Operand::Kind::address);
         ++steps) {
      const auto reg = static_cast<std::size_t>(now->reg);
      if (now->reg < 0 || reg >= moved_.size() || moved_[reg] == nullptr || writes_[reg] != 1) break;
      now = moved_[reg];
    }
    return *now;
  }

 private:
  template <class T>
  static T& at(std::vector<T>& v, int i) {
    const auto n = static_cast<std::size_t>(i);
    if (n >= v.size()) v.resize(n + 1);
    return v[n];
  }
  int& uses(int reg) { return at(uses_, reg); }
  void count(const Operand& o) {
    if (o.reg >= 0) ++uses(o.reg), at(moved_, o.reg), at(writes_, o.reg);
    if (o.second_reg >= 0) ++uses(o.second_reg);
    for (const Operand& e : o.elements) count(e);
  }
  std::vector<int> uses_, writes_;
  std::vector<const Operand*> moved_;
};

bool has_any(const Instruction& i, std::initializer_list<std::string_view> modifiers) {
  return std::ranges::any_of(modifiers, [&](std::string_view m) { return i.has(m); });
}

bool is_one(const Operand& o) { return o.kind == Operand::Kind::immediate && !o.is_float && o.bits == 1; }

/// The address of a variable, the same for all lanes.
bool is_variable(const Operand& o) {
  if (o.kind == Operand::Kind::symbol) return true;
  return o.kind == Operand::Kind::address && o.reg < 0 && o.symbol >= 0;
}

}  // namespace

std::vector<SharedAtomic> shared_atomics(const Entry& entry) {
  std::vector<SharedAtomic> out(entry.code.size(), SharedAtomic::as_written);
  const auto is_shared = [](const Instruction& i) {
    return (i.opcode == "atom" || i.opcode == "red") && has_any(i, {"shared", "shared::cta"}) && i.types.size() == 1;
  };
  if (std::ranges::none_of(entry.code, is_shared)) return out;
  const Registers registers(entry);
  for (std::size_t n = 0; n < entry.code.size(); ++n) {
    const Instruction& i = entry.code[n];
    if (!is_shared(i)) continue;
    const Type type = i.types[0];
    const std::size_t first = i.opcode == "atom" ? 1 : 0;
    if (i.operands.size() != first + 2) continue;
    const bool integer = type == Type::u32 || type == Type::s32;
    const bool combines = (integer && has_any(i, {"add", "min", "max"})) ||
                          ((integer || type == Type::b32) && has_any(i, {"and", "or", "xor"}));
    const Operand& result = i.operands[0];
    const bool unread = first == 0 || result.kind == Operand::Kind::sink ||
                        (result.kind == Operand::Kind::reg && registers.occurrences(result.reg) == 1);
    if (integer && i.has("add") && unread && is_one(registers.origin(i.operands[first + 1])))
      out[n] = SharedAtomic::counts_lanes;
    else if (combines && is_variable(registers.origin(i.operands[first])))
      out[n] = SharedAtomic::one_lane;
  }
  return out;
}

}  // namespace lanescope::ptx
