#include "kernels/emulator/machine/program.h"

#include <algorithm>

#include "kernels/emulator/machine/control_steps.h"

namespace lanescope::emulator {

std::vector<int> reachable(const ptx::Module& module, const ptx::Entry& entry) {
  std::vector<int> found{static_cast<int>(&entry - module.entries.data())};
  // The address of a kernel is for launching it: it is a program of its own.
  const auto add = [&](int function) {
    const ptx::Entry& e = module.entries[static_cast<std::size_t>(function)];
    if (e.is_function && !e.is_declaration && std::ranges::find(found, function) == found.end())
      found.push_back(function);
  };
  for (const ptx::Variable& v : module.variables)  // tables of functions
    for (const ptx::InitialAddress& a : v.addresses)
      if (a.function >= 0) add(a.function);
  for (std::size_t i = 0; i < found.size(); ++i)
    for (const ptx::Instruction& in : module.entries[static_cast<std::size_t>(found[i])].code)
      for (const ptx::Operand& o : in.operands)
        if (o.kind == ptx::Operand::Kind::symbol && o.symbol_scope == ptx::Operand::Scope::function) add(o.symbol);
  return found;
}

bool calls_itself(const ptx::Module& module, int function) {
  std::vector<int> seen;
  const auto walk = [&](auto& self, int at) -> bool {
    for (const ptx::Instruction& in : module.entries[static_cast<std::size_t>(at)].code) {
      if (in.opcode != "call") continue;
      bool direct = false;
      for (const ptx::Operand& o : in.operands) {
        if (o.symbol_scope != ptx::Operand::Scope::function) continue;
        direct = true;
        if (o.symbol == function) return true;
        if (std::ranges::find(seen, o.symbol) != seen.end()) continue;
        seen.push_back(o.symbol);
        if (self(self, o.symbol)) return true;
      }
      if (!direct) return true;  // through a pointer: perhaps
    }
    return false;
  };
  return walk(walk, function);
}

const RefusedOp* Program::refused_at(u32 pc) const {
  return ops[pc].step == step_refused ? &refused[ops[pc].immediate] : nullptr;
}

const ptx::Instruction* Program::instruction_of(u32 pc) const {
  const Origin& o = origins[pc];
  const auto& code =
      module->entries[static_cast<std::size_t>(functions[static_cast<std::size_t>(o.function)].entry)].code;
  return static_cast<std::size_t>(o.instruction) < code.size() ? &code[static_cast<std::size_t>(o.instruction)]
                                                               : nullptr;
}

int Program::line_of(u32 pc) const {
  const ptx::Instruction* i = instruction_of(pc);
  return i == nullptr ? 0 : i->position.line;
}

}  // namespace lanescope::emulator
