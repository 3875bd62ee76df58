// A stretch as a whole: operations, the branch at the end, and rounds of a loop.

#include "kernels/emulator/translate/generator.h"

#ifdef LANESCOPE_TRANSLATES

#include <algorithm>
#include <cstddef>

#include "kernels/emulator/lanes/operations.h"
#include "kernels/emulator/steps/steps.h"

namespace lanescope::emulator {

namespace {

/// Of narrow vectors there are twice as many.
std::size_t most_code_bytes(u32 vector_bytes) { return (std::size_t{1} << 22) / vector_bytes; }
/// Longer loops are stretches, but keep no rows from one round to the next: their code would be there twice.
constexpr u32 longest_loop = 96;

}  // namespace

void Generator::leave(u32 pc, Flow flow, u32 executed) {
  add(field(offsetof(StretchRun, executed)), executed);
  mov(rax, u64{pc} | u64{static_cast<u8>(flow)} << 32);
  jmp(end_, T_NEAR);
}

/// A warp that polls memory may have to end its turn after each round; StretchCalls::branch sees to it.
bool Generator::may_loop() const {
  const auto polls = [&](const Op& op) { return op.step == step_memory && plan_.program->memory[op.immediate].polls; };
  const auto first = plan_.program->ops.begin() + plan_.first;
  return plan_.count <= longest_loop && (plan_.observed || std::none_of(first, first + plan_.count, polls));
}

/// Whether the stretch may write to the row.
bool Generator::is_written(u32 at) const {
  const auto meets = [&](u32 written) { return written < at + row_bytes && at < written + row_bytes; };
  for (u32 i = 0; i < plan_.count; ++i) {
    const Op& op = plan_.program->ops[plan_.first + i];
    if (op.step == step_memory) {
      const MemoryOp& m = plan_.program->memory[op.immediate];
      for (u32 e = 0; e < m.count; ++e)
        if (m.kind != trace::AccessKind::store && meets(m.registers[e])) return true;
    }
    if (op.exec == nullptr || op.exec == exec_setp || op.exec == exec_predicates) continue;
    if (native_operation(op) == nullptr || meets(op.d)) return true;
  }
  return false;
}

/// The last operation. `inside_loop`: it leads back to loop_, where the state is loop_state_; else, if it leads to the
/// beginning, the rest of the code is that of the loop.
void Generator::branch(bool inside_loop) {
  const u32 pc = plan_.first + plan_.count - 1;
  const Op& op = plan_.program->ops[pc];
  Xbyak::Label taken, mixed, again;
  const bool loops = op.immediate == plan_.first && may_loop();
  if (plan_.observed) {
    flush();
    forget_rows();
    call(reinterpret_cast<const void*>(plan_.calls.branch), plan_.count - 1);
    if (!loops) return leave(pc, Flow::jumped, 0);
    test(rax, rax);
    jnz(again, T_NEAR);
    leave(pc, Flow::jumped, 0);
    L(again);
    return repeat(inside_loop);
  }
  if (op.guarded) {
    mov(eax, word_at(op.guard));
    if (op.guard_flip != 0) xor_(eax, op.guard_flip);
    cmp(eax, all_lanes);
    je(taken, T_NEAR);
    const State before = state_;
    flush();
    test(eax, eax);
    jnz(mixed);
    add(field(offsetof(StretchRun, idle_lanes)), lanes);
    leave(pc + 1, Flow::jumped, plan_.count);
    L(mixed);
    leave(pc, Flow::next, plan_.count - 1);
    state_ = before;
    L(taken);
  }
  if (!loops) {
    flush();
    return leave(op.immediate, Flow::jumped, plan_.count);
  }
  add(field(offsetof(StretchRun, executed)), plan_.count);
  sub(field(offsetof(StretchRun, left)), plan_.count);
  cmp(field(offsetof(StretchRun, left)), plan_.count);
  jae(again, T_NEAR);
  const State before = state_;
  flush();
  leave(op.immediate, Flow::jumped, 0);
  state_ = before;
  L(again);
  repeat(inside_loop);
}

/// The next round: the code after the first one is for all others.
void Generator::repeat(bool inside_loop) {
  if (inside_loop) {
    become(*loop_state_);
    jmp(loop_, T_NEAR);
    return;
  }
  // Each round begins with the facts that no round changes.
  std::erase_if(state_.runs, [&](const auto& run) { return is_written(run.row); });
  loop_state_ = state_;
  L(loop_);
  body();
  branch(true);
}

void Generator::body() {
  const bool branches = plan_.program->ops[plan_.first + plan_.count - 1].is_branch;
  const u32 end = plan_.count - (branches ? 1 : 0);
  for (u32 i = 0; i < end;) {
    const u32 next = narrow() ? by_quarters(i, end) : i;
    next == i ? operation(i++) : void(i = next);
  }
}

/// Operations from `index` on that compute each lane of its own: all of them for eight lanes, then for the next eight. So a
/// row needs one narrow register of the few, two if it has 64 bits. The operation after them.
u32 Generator::by_quarters(u32 index, u32 end) {
  const auto op = [&](u32 i) -> const Op& { return plan_.program->ops[plan_.first + i]; };
  u32 next = index;
  while (next < end && op(next).exec != nullptr && !op(next).guarded && native_operation(op(next)) != nullptr) ++next;
  for (u32 quarter = 0; quarter < 4; ++quarter)
    for (u32 i = index; i < next; ++i) native(op(i), quarter, 1);
  return next;
}

Generator::Generator(const StretchPlan& plan)
    : CodeGenerator(most_code_bytes(plan.vector_bytes), Xbyak::DontSetProtectRWE),
      plan_(plan),
      vector_bytes(plan.vector_bytes),
      kept_registers(narrow() ? 11 : most_kept) {}

StretchCode Generator::generate() {
  if (Xbyak::GetError() != Xbyak::ERR_NONE) return Xbyak::ClearError(), nullptr;  // no memory for it
  push(rbx);
  push(r12);
  push(r13);
  xor_(r13d, r13d);
  mov(rbx, rdi);
  mov(r12, field(offsetof(StretchRun, registers)));
  body();
  if (plan_.program->ops[plan_.first + plan_.count - 1].is_branch) {
    branch(false);
  } else {
    flush();
    leave(plan_.first + plan_.count, Flow::next, plan_.count);
  }
  late_code();
  L(end_);
  vzeroupper();
  pop(r13);
  pop(r12);
  pop(rbx);
  ret();
  if (narrow()) constants();
  if (Xbyak::GetError() != Xbyak::ERR_NONE || hasUndefinedLabel()) return Xbyak::ClearError(), nullptr;
  if (!setProtectModeRE(false)) return nullptr;
  return getCode<StretchCode>();
}

}  // namespace lanescope::emulator

#endif
