// Loads and stores. Those of a whole warp at consecutive words are a copy of a row; step_memory does the others.

#include "kernels/emulator/translate/generator.h"

#ifdef LANESCOPE_TRANSLATES

#include <algorithm>
#include <cstddef>

#include "kernels/emulator/steps/steps.h"

namespace lanescope::emulator {

namespace {

/// Lane l of a row whose lanes are 4 or 8 bytes apart, less lane 0.
template <class T>
struct Ascending {
  alignas(64) T of_4[lanes], of_8[lanes];
  constexpr Ascending() : of_4(), of_8() {
    for (u32 l = 0; l < lanes; ++l) of_4[l] = l * 4, of_8[l] = l * 8;
  }
};
constexpr Ascending<u32> ascending_32;
constexpr Ascending<u64> ascending_64;

}  // namespace

bool Generator::is_of(const Run& run, const MemoryOp& m) { return run.row == m.base && run.bytes == m.bytes; }

/// Leaves the plain way unless the lanes of the row with the address are m.bytes apart, ascending.
void Generator::check_run(const MemoryOp& m, Late& late) {
  const auto same = [&](const Run& run) { return is_of(run, m); };
  if (const auto run = std::ranges::find_if(state_.runs, same); run != state_.runs.end()) {
    test(r13d, run->bit);
    return jz(late.at, T_NEAR);
  }
  if (bits_ < 32) late.bit = u32{1} << bits_++;
  const bool wide = m.base_bits == 64;
  mov(rax, wide ? address_of(m.bytes == 8 ? ascending_64.of_8 : ascending_64.of_4)
                : address_of(m.bytes == 8 ? ascending_32.of_8 : ascending_32.of_4));
  const u32 parts = vectors_of(m.base_bits);
  for (u32 p = 0; p < parts; ++p) {
    const Vector b = read(m.base + p * vector_bytes);
    if (p == 0)
      wide ? vpbroadcastq(scratch(0), Xbyak::Xmm(b.getIdx())) : vpbroadcastd(scratch(0), Xbyak::Xmm(b.getIdx()));
    const auto ascends = ptr[rax + static_cast<int>(p * vector_bytes)];
    wide ? vpsubq(scratch(1), b, ascends) : vpsubd(scratch(1), b, ascends);
    wide ? vpcmpq(p == 0 ? k2 : k1, scratch(1), scratch(0), 4) : vpcmpd(p == 0 ? k2 : k1, scratch(1), scratch(0), 4);
    if (p != 0) korw(k2, k2, k1);
  }
  kortestw(k2, k2);
  jnz(late.no_run, T_NEAR);
  if (late.bit == 0) return;
  or_(r13d, late.bit);
  state_.runs.push_back({m.base, m.bytes, late.bit});
}

/// A whole warp's access to consecutive words of the store that this operation accessed before; step() in all other cases.
bool Generator::plain_access(const MemoryOp& m, u32 index) {
  const Op& op = plan_.program->ops[plan_.first + index];
  const bool shared = m.area == Area::shared, writes = m.kind == trace::AccessKind::store;
  if (op.guarded || !m.plain_rows || (!writes && m.polls)) return false;
  if (!shared && (m.area != Area::global || plan_.has_view)) return false;
  if (m.offset != static_cast<s32>(m.offset)) return false;
  ++now_;
  const u32 parts = vectors_of(m.register_bits[0]), value = m.registers[0];
  // Rows come first into registers, so that the state is the same when code after the stretch comes back.
  const bool checks = std::ranges::none_of(state_.runs, [&](const Run& run) { return is_of(run, m); });
  for (u32 p = 0; p < vectors_of(m.base_bits) && checks; ++p) read(m.base + p * vector_bytes);
  for (u32 p = 0; p < parts && writes; ++p) read(value + p * vector_bytes);
  Late& late = late_.emplace_back();
  late.index = index;
  late.before = state_;
  check_run(m, late);
  const auto base = std::ranges::find(state_.slots, m.base, &Slot::at);
  const Xbyak::Xmm first(static_cast<int>(base - state_.slots.begin()));
  if (m.base_bits == 64) {
    if (base != state_.slots.end())
      vmovq(rax, first);
    else
      mov(rax, row_at(m.base));
    if (m.offset != 0) add(rax, static_cast<u32>(m.offset));
  } else {
    if (base != state_.slots.end())
      vmovd(eax, first);
    else
      mov(eax, row_at(m.base));
    if (m.offset != 0) add(eax, static_cast<u32>(m.offset));
  }
  test(eax, m.bytes - 1);
  jnz(late.at, T_NEAR);
  if (shared) {
    mov(rcx, field(offsetof(StretchRun, shared)));
  } else {
    mov(rcx, address_of(plan_.sites + index));
    mov(rcx, ptr[rcx]);
    test(rcx, rcx);
    jz(late.at, T_NEAR);
  }
  if (!shared) mov(r8, rax);
  sub(rax, ptr[rcx + static_cast<int>(offsetof(Store, base))]);
  if (shared) mov(r8, rax);  // what observers see of it
  mov(rdx, ptr[rcx + static_cast<int>(offsetof(Store, bytes))]);
  sub(rdx, m.bytes * u32{lanes});
  jb(late.at, T_NEAR);
  cmp(rax, rdx);
  ja(late.at, T_NEAR);
  add(rax, ptr[rcx + static_cast<int>(offsetof(Store, data))]);
  for (u32 p = 0; p < parts; ++p) {
    const auto memory = ptr[rax + static_cast<int>(p * vector_bytes)];
    if (writes)
      vmovups(memory, read(value + p * vector_bytes));
    else
      vmovups(write(value + p * vector_bytes), memory);
  }
  if (writes) inc(field(offsetof(StretchRun, stores)));
  if (plan_.observed) {
    flush();
    forget_rows();
    mov(rcx, address_of(m.bytes == 8 ? ascending_64.of_8 : ascending_64.of_4));
    vpbroadcastq(scratch(0), r8);
    for (u32 p = 0; p < 4; ++p) {
      vpaddq(scratch(1), scratch(0), ptr[rcx + static_cast<int>(p * vector_bytes)]);
      vmovups(ptr[rbx + static_cast<int>(offsetof(StretchRun, addresses) + p * vector_bytes)], scratch(1));
    }
    mov(rdx, rax);
    call(reinterpret_cast<const void*>(plan_.calls.report), index);
  }
  late.after = state_;
  L(late.back);
  return true;
}

void Generator::step(u32 index) {
  const Op& op = plan_.program->ops[plan_.first + index];
  if (op.step != step_memory) {  // it does nothing without observers
    if (op.guarded) load_guard(op, index);
    return;
  }
  if (plain_access(plan_.program->memory[op.immediate], index)) return;
  flush();
  state_ = {};
  call(reinterpret_cast<const void*>(plan_.calls.run), index);
  test(rax, rax);
  Xbyak::Label on;
  jz(on);
  leave(plan_.first + index, Flow::faulted, index + 1);
  L(on);
}

/// Accesses that are not plain: all rows are stored for them, and loaded again.
void Generator::late_code() {
  for (std::size_t i = 0; i < late_.size(); ++i) {
    Late& late = late_[i];
    L(late.no_run);
    if (late.bit != 0) and_(r13d, ~late.bit);
    L(late.at);
    state_ = late.before;
    flush();
    call(reinterpret_cast<const void*>(plan_.calls.run), late.index);
    Xbyak::Label on;
    test(rax, rax);
    jz(on);
    leave(plan_.first + late.index, Flow::faulted, late.index + 1);
    L(on);
    for (int s = 0; s < kept_registers; ++s)
      if (const Slot& to = late.after.slots[static_cast<std::size_t>(s)]; to.at != 0) vmovups(Vector(s), row_at(to.at));
    jmp(late.back, T_NEAR);
  }
}

}  // namespace lanescope::emulator

#endif
