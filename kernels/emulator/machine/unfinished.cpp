// Probes that stopped lanes might still have reached.

#include <algorithm>
#include <set>

#include "kernels/emulator/machine/control_steps.h"
#include "kernels/emulator/machine/machine.h"

namespace lanescope::emulator {

namespace {

/// Where a lane may be after `pc`. A call is both the callee and what stands after it; where a refused branch or call
/// leads to is not known, so that it leads everywhere.
void add_successors(const Program& p, u32 pc, std::vector<u32>& out) {
  const Op& op = p.ops[pc];
  const bool leaves = op.step == step_exit || op.step == step_return || op.step == step_trap ||
                      op.step == step_assertion || op.step == step_breakpoint;
  const bool jumps = op.step == step_branch || op.step == step_branch_table;
  if (op.step == step_branch) out.push_back(op.immediate);
  if (op.step == step_branch_table) {
    const std::vector<u32>& targets = p.branch_tables[op.immediate];
    out.insert(out.end(), targets.begin(), targets.end());
  }
  if (op.step == step_call) {
    const CallOp& call = p.calls[op.immediate];
    out.push_back(p.functions[static_cast<std::size_t>(call.function)].first_op);
  }
  if (op.step == step_refused) {
    const ptx::Instruction* i = p.instruction_of(pc);
    if (i != nullptr && (i->opcode == "brx" || i->opcode == "bra" || i->opcode == "call"))
      for (u32 any = 0; any < p.ops.size(); ++any) out.push_back(any);
  }
  if (op.guarded || (!leaves && !jumps)) out.push_back(pc + 1);
}

}  // namespace

std::vector<int> probes_ahead(const Program& p, const std::vector<u32>& from) {
  std::vector<bool> seen(p.ops.size());
  std::vector<u32> open = from, next;
  std::set<int> probes;
  while (!open.empty()) {
    const u32 pc = open.back();
    open.pop_back();
    if (pc >= p.ops.size() || seen[pc]) continue;
    seen[pc] = true;
    if (p.ops[pc].step == step_probe) {
      const Program::Origin& o = p.origins[pc];
      const ptx::Entry& e =
          p.module->entries[static_cast<std::size_t>(p.functions[static_cast<std::size_t>(o.function)].entry)];
      if (p.ops[pc].immediate < e.probes.size()) probes.insert(e.probes[p.ops[pc].immediate].id);
    }
    next.clear();
    add_successors(p, pc, next);
    open.insert(open.end(), next.begin(), next.end());
  }
  return {probes.begin(), probes.end()};
}

}  // namespace lanescope::emulator
