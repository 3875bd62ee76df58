#include "kernels/ptx/value_numbers.h"

#include <algorithm>

namespace lanescope::ptx {
namespace {

void count(const Operand& o, std::vector<int>& uses) {
  for (const int reg : {o.reg, o.second_reg})
    if (reg >= 0 && static_cast<std::size_t>(reg) < uses.size()) ++uses[static_cast<std::size_t>(reg)];
  for (const Operand& e : o.elements) count(e, uses);
}

}  // namespace

std::vector<bool> unread_results(const Entry& entry) {
  std::vector<bool> out(entry.code.size());
  const auto is_atomic = [](const Instruction& i) { return i.opcode == "atom" || i.opcode == "red"; };
  if (std::ranges::none_of(entry.code, is_atomic)) return out;
  std::vector<int> uses(entry.registers.size());
  for (const Instruction& i : entry.code) {
    if (i.predicate >= 0 && static_cast<std::size_t>(i.predicate) < uses.size())
      ++uses[static_cast<std::size_t>(i.predicate)];
    for (const Operand& o : i.operands) count(o, uses);
  }
  for (std::size_t n = 0; n < entry.code.size(); ++n) {
    const Instruction& i = entry.code[n];
    if (!is_atomic(i)) continue;
    if (i.opcode == "red") {
      out[n] = true;
      continue;
    }
    if (i.operands.empty()) continue;
    const Operand& result = i.operands[0];
    out[n] = result.kind == Operand::Kind::sink ||
             (result.kind == Operand::Kind::reg && !entry.is_function && result.reg >= 0 &&
              static_cast<std::size_t>(result.reg) < uses.size() && uses[static_cast<std::size_t>(result.reg)] == 1);
  }
  return out;
}

}  // namespace lanescope::ptx
