#include "profiling/review/observe/atomic_code.h"

#include <algorithm>

#include "kernels/ptx/value_numbers.h"

namespace lanescope::review {

bool address_is_loaded(const ptx::Entry& entry, std::uint32_t pc) {
  using Kind = ptx::Operand::Kind;
  if (pc >= entry.code.size()) return false;
  std::vector<bool> seen(entry.registers.size(), false);
  std::vector<int> open;
  const auto follow = [&](int reg) {
    if (reg < 0 || static_cast<std::size_t>(reg) >= seen.size() || seen[static_cast<std::size_t>(reg)]) return;
    seen[static_cast<std::size_t>(reg)] = true;
    open.push_back(reg);
  };
  for (const ptx::Operand& o : entry.code[pc].operands)
    if (o.kind == Kind::address) follow(o.reg);
  while (!open.empty()) {
    const int reg = open.back();
    open.pop_back();
    for (const ptx::Instruction& in : entry.code) {
      if (in.operands.empty() || in.operands[0].kind != Kind::reg) {
        if (in.opcode != "ld" || in.operands.empty()) continue;
        for (const ptx::Operand& e : in.operands[0].elements)
          if (e.reg == reg && !in.has("param") && !in.has("const")) return true;
        continue;
      }
      if (in.operands[0].reg != reg || in.opcode == "st" || in.opcode == "red") continue;
      if (in.opcode == "atom" || (in.opcode == "ld" && !in.has("param") && !in.has("const"))) return true;
      for (std::size_t n = 1; n < in.operands.size(); ++n) {
        if (in.operands[n].kind == Kind::reg) follow(in.operands[n].reg);
        for (const ptx::Operand& e : in.operands[n].elements) follow(e.reg);
      }
    }
  }
  return false;
}

std::vector<bool> combinable_atomics(const ptx::Entry& entry) {
  static constexpr std::string_view combines[] = {"add", "min", "max", "and", "or", "xor"};
  using ptx::Type;
  const auto is_combined_by_ptxas = [](Type t) { return t == Type::u32 || t == Type::s32 || t == Type::b32; };
  std::vector<bool> out = ptx::unread_results(entry);
  for (std::uint32_t pc = 0; pc < entry.code.size(); ++pc) {
    if (!out[pc]) continue;
    const ptx::Instruction& in = entry.code[pc];
    out[pc] = std::ranges::any_of(combines, [&](std::string_view m) { return in.has(m); }) && !in.types.empty() &&
              !is_combined_by_ptxas(in.types.back()) && !address_is_loaded(entry, pc);
  }
  return out;
}

}  // namespace lanescope::review
