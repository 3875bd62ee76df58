#include <algorithm>

#include "kernels/ptx/value_numbers.h"

namespace lanescope::ptx {
namespace {

// The base of a register: nothing yet, a number, one variable (its number from `first_variable` on), or anything.
constexpr int unset = -1, number = 0, anything = 1, first_variable = 2;

/// Several definitions of one register: a pointer is one where it is based on the same variable in all of them.
int either(int a, int b) { return a == unset || a == b ? b : b == unset ? a : anything; }
/// A sum: a variable's address and numbers.
int sum(int a, int b) {
  if (a == unset || b == unset) return unset;
  return a == number ? b : b == number ? a : anything;
}

class Bases {
 public:
  Bases(const Module& module, const Entry& entry)
      : module_(module), entry_(entry), of_(entry.registers.size(), unset) {}

  std::vector<std::string_view> run() {
    for (bool changed = true; changed;) {
      changed = false;
      for (const Instruction& in : entry_.code) changed = define(in) || changed;
    }
    std::vector<std::string_view> out(entry_.code.size());
    for (std::size_t pc = 0; pc < out.size(); ++pc) {
      const Instruction& in = entry_.code[pc];
      if (in.opcode != "ld" && in.opcode != "st" && in.opcode != "atom" && in.opcode != "red") continue;
      const auto at = std::ranges::find(in.operands, Operand::Kind::address, &Operand::kind);
      if (at != in.operands.end())
        if (const int base = of(*at); base >= first_variable)
          out[pc] = names_[static_cast<std::size_t>(base - first_variable)];
    }
    return out;
  }

 private:
  int of_register(int reg) const {
    return reg >= 0 && static_cast<std::size_t>(reg) < of_.size() ? of_[static_cast<std::size_t>(reg)] : number;
  }

  int of(const Operand& o) {
    if (o.kind == Operand::Kind::vector)
      return std::ranges::any_of(o.elements, [&](const Operand& e) { return of(e) > number; }) ? anything : number;
    if (o.reg >= 0 && (o.kind == Operand::Kind::reg || o.kind == Operand::Kind::address)) return of_register(o.reg);
    const Variable* v =
        o.symbol_scope == Operand::Scope::module  ? &module_.variables[static_cast<std::size_t>(o.symbol)]
        : o.symbol_scope == Operand::Scope::entry ? &entry_.variables[static_cast<std::size_t>(o.symbol)]
                                                  : nullptr;
    if (v == nullptr) return number;
    if (v->space != Space::shared) return anything;
    const auto known = std::ranges::find(names_, v->name);
    if (known == names_.end()) names_.push_back(v->name);
    return first_variable + static_cast<int>(std::ranges::find(names_, v->name) - names_.begin());
  }

  int value_of(const Instruction& in) {
    const std::string_view op = in.opcode;
    const auto from = [&](std::size_t n) { return n < in.operands.size() ? of(in.operands[n]) : number; };
    if (op == "mov" || op == "cvta" || op == "cvt") return from(1);
    if (op == "add") return sum(from(1), from(2));
    if (op == "sub") return from(2) >= first_variable ? anything : sum(from(1), from(2));
    if (op == "mad") return sum(from(3), std::max(from(1), from(2)) >= anything ? anything : number);
    if (op == "selp") return either(from(1), from(2));
    if (op == "ld" || op == "atom" || op == "ldu" || op == "shfl") return number;
    for (std::size_t n = 1; n < in.operands.size(); ++n)
      if (from(n) > number) return anything;
    return number;
  }

  bool define(const Instruction& in) {
    if (in.operands.empty() || in.opcode == "st" || in.opcode == "red") return false;
    const int value = value_of(in);
    bool changed = false;
    const auto set = [&](int reg) {
      if (reg < 0 || static_cast<std::size_t>(reg) >= of_.size()) return;
      int& own = of_[static_cast<std::size_t>(reg)];
      const int joined = either(own, value);
      changed = changed || joined != own;
      own = joined;
    };
    const Operand& to = in.operands.front();
    set(to.kind == Operand::Kind::reg ? to.reg : -1);
    set(to.second_reg);
    for (const Operand& e : to.elements) set(e.kind == Operand::Kind::reg ? e.reg : -1);
    return changed;
  }

  const Module& module_;
  const Entry& entry_;
  std::vector<int> of_;  ///< by register
  std::vector<std::string_view> names_;
};

}  // namespace

std::vector<std::string_view> shared_bases(const Module& module, const Entry& entry) {
  return Bases(module, entry).run();
}

}  // namespace lanescope::ptx
