// The code of one operation: its own, or a call of the function that the interpreter calls.

#include "kernels/emulator/translate/generator.h"

#ifdef LANESCOPE_TRANSLATES

#include <cstddef>

#include "kernels/emulator/lanes/operations.h"
#include "kernels/emulator/steps/steps.h"

namespace lanescope::emulator {

/// eax: the lanes that execute the operation; what this says about counts is done.
void Generator::load_guard(const Op& op, u32 index) {
  mov(eax, word_at(op.guard));
  if (op.guard_flip != 0) xor_(eax, op.guard_flip);
  mov(ecx, eax);
  not_(ecx);
  popcnt(ecx, ecx);
  add(field(offsetof(StretchRun, idle_lanes)), rcx);
  if (plan_.observed) {
    mov(rcx, field(offsetof(StretchRun, active)));
    mov(dword[rcx + static_cast<int>(index * 4)], eax);
  }
}

/// k1, or with narrow vectors the lowest bits of eax: those of the lanes in eax that are in this vector of so many. The
/// next parts follow.
void Generator::part_of_guard(u32 part, u32 parts) {
  if (part != 0) shr(eax, static_cast<int>(lanes / parts));
  if (!narrow()) kmovw(k1, eax);
}

/// In these quarters of the lanes.
bool Generator::native(const Op& op, u32 first_quarter, u32 quarters) {
  const NativeOperation* const n = native_operation(op);
  if (n == nullptr) return false;
  const u32 parts = vectors_of(n->bits);
  const u32 rows[] = {op.a, op.b, op.c};
  for (u32 p = parts * first_quarter / 4; p < parts * (first_quarter + quarters) / 4; ++p) {
    ++now_;
    Vector from[3] = {scratch(2), scratch(2), scratch(2)};
    for (u32 s = 0; s < n->sources; ++s)
      from[s] = (n->widened >> s & 1) != 0 ? widened(rows[s], p, n->is_signed, 2 + static_cast<int>(s))
                                           : read(rows[s] + p * vector_bytes, n->floats);
    const u32 at = op.d + p * vector_bytes;
    if (!op.guarded) {
      const Vector d = write(at, n->floats);
      n->emit(*this, op, d, from[0], from[1], from[2]);
      continue;
    }
    part_of_guard(p, parts);
    const Vector all = scratch(4);
    n->emit(*this, op, all, from[0], from[1], from[2]);
    if (n->floats) make_canonical(all);  // lanes that keep theirs may have NaNs that are bits of something else
    const Vector d = read(at, n->floats);
    write(at, state_.slots[static_cast<std::size_t>(d.getIdx())].loose);
    if (narrow())
      choose_narrow(d, all, d, n->bits);
    else if (n->bits == 64)
      vmovdqa64(d | k1, all);
    else
      vmovdqa32(d | k1, all);
  }
  return true;
}

/// Predicate op.d (and op.d2) of the result in eax.
void Generator::combine_and_write(const Op& op) {
  if (op.guarded) {
    mov(r9d, word_at(op.guard));
    if (op.guard_flip != 0) xor_(r9d, op.guard_flip);
  }
  if (op.bool_op != BoolOp::none) {
    mov(ecx, word_at(op.c));
    if (op.flip != 0) xor_(ecx, op.flip);
  }
  const bool second = op.d2 != sink_predicate;
  if (second) {
    mov(edx, eax);
    not_(edx);
  }
  const auto finish = [&](const Xbyak::Reg32& r, u32 at) {
    if (op.bool_op == BoolOp::and_) and_(r, ecx);
    if (op.bool_op == BoolOp::or_) or_(r, ecx);
    if (op.bool_op == BoolOp::xor_) xor_(r, ecx);
    if (op.guarded) {  // the other lanes keep theirs: r = old ^ ((old ^ r) & mask)
      mov(r8d, word_at(at));
      xor_(r, r8d);
      and_(r, r9d);
      xor_(r, r8d);
    }
    mov(word_at(at), r);
  };
  finish(eax, op.d);
  if (second) finish(edx, op.d2);
}

bool Generator::compare(const Op& op) {
  if (op.exec != exec_setp) return false;
  const NativeComparison* const n = native_comparison(op.compare);
  if (n == nullptr) return false;
  using Type = NativeComparison::Type;
  const u32 parts = vectors_of(n->type == Type::s64 || n->type == Type::u64 ? 64 : 32);
  for (u32 p = 0; p < parts; ++p) {
    ++now_;
    const bool floats = n->type == Type::f32;
    const Vector a = read(op.a + p * vector_bytes, floats), b = read(op.b + p * vector_bytes, floats);
    if (narrow()) {
      compare_narrow(*n, p, a, b);
      continue;
    }
    const Xbyak::Opmask k(1 + static_cast<int>(p));
    if (n->type == Type::s32) vpcmpd(k, a, b, n->predicate);
    if (n->type == Type::u32) vpcmpud(k, a, b, n->predicate);
    if (n->type == Type::s64) vpcmpq(k, a, b, n->predicate);
    if (n->type == Type::u64) vpcmpuq(k, a, b, n->predicate);
    if (floats) vcmpps(k, a, b, n->predicate);
  }
  if (parts == 4 && !narrow()) {
    kunpckbw(k1, k2, k1);
    kunpckbw(k2, k4, k3);
  }
  if (!narrow()) {
    kunpckwd(k1, k2, k1);
    kmovd(eax, k1);
  }
  combine_and_write(op);
  return true;
}

/// selp
bool Generator::choose(const Op& op) {
  const bool wide = op.exec == find_lane_operation("select.64");
  if (op.guarded || (!wide && op.exec != find_lane_operation("select.32"))) return false;
  mov(eax, word_at(op.c));
  if (op.flip != 0) xor_(eax, op.flip);
  const u8 bits = wide ? 64 : 32;
  const u32 parts = vectors_of(bits);
  for (u32 p = 0; p < parts; ++p) {
    ++now_;
    const Vector a = read(op.a + p * vector_bytes), b = read(op.b + p * vector_bytes);
    const Vector d = write(op.d + p * vector_bytes);
    part_of_guard(p, parts);
    if (narrow())
      choose_narrow(d, a, b, bits);
    else if (wide)
      vpblendmq(d | k1, b, a);
    else
      vpblendmd(d | k1, b, a);
  }
  return true;
}

/// A truth table of three predicates.
bool Generator::predicates(const Op& op) {
  if (op.exec != exec_predicates || op.guarded) return false;
  u32 table = op.immediate & 0xff;
  if ((op.flip & 1) != 0) table = table >> 4 | (table & 15) << 4;
  if ((op.flip & 2) != 0) table = (table & 0xcc) >> 2 | (table & 0x33) << 2;
  const Vector a(scratch(0).getIdx()), b(scratch(1).getIdx()), c(scratch(2).getIdx());
  vmovd(a, word_at(op.a));
  vmovd(b, word_at(op.b));
  vmovd(c, word_at(op.c));
  vpternlogd(a, b, c, static_cast<u8>(table));
  vmovd(word_at(op.d), a);
  return true;
}

/// The low words of a register of 64 bits.
bool Generator::narrow(const Op& op) {
  if (op.guarded || op.exec != find_lane_operation("low.b64")) return false;
  for (u32 p = 0; p < vectors_of(32); ++p) {
    ++now_;
    const Vector low = read(op.a + 2 * p * vector_bytes), high = read(op.a + (2 * p + 1) * vector_bytes);
    if (narrow()) {
      const Vector d = write(op.d + p * vector_bytes);
      vshufps(scratch(0), low, high, 0x88);
      vpermq(Xbyak::Ymm(d.getIdx()), scratch(0), 0xd8);
      continue;
    }
    vpmovqd(Xbyak::Ymm(scratch(0).getIdx()), low);
    vpmovqd(Xbyak::Ymm(scratch(1).getIdx()), high);
    const Vector d = write(op.d + p * vector_bytes);
    vinserti64x4(Xbyak::Zmm(d.getIdx()), Xbyak::Zmm(scratch(0).getIdx()), Xbyak::Ymm(scratch(1).getIdx()), 1);
  }
  return true;
}

/// A function of StretchCalls.
void Generator::call(const void* function, u32 index) {
  mov(rdi, rbx);
  mov(esi, index);
  vzeroupper();
  mov(rax, reinterpret_cast<u64>(function));
  Xbyak::CodeGenerator::call(rax);
}

/// By the function that the interpreter calls.
void Generator::call_function(const Op& op) {
  flush();
  state_ = {};
  Xbyak::Label over;
  if (op.guarded) {
    test(eax, eax);
    jz(over, T_NEAR);
    mov(edx, eax);
  } else {
    mov(edx, all_lanes);
  }
  mov(rdi, r12);
  mov(rsi, address_of(&op));
  vzeroupper();
  mov(rax, reinterpret_cast<u64>(op.exec));
  Xbyak::CodeGenerator::call(rax);
  L(over);
}

void Generator::operation(u32 index) {
  const Op& op = plan_.program->ops[plan_.first + index];
  if (op.exec == nullptr) return step(index);
  if (op.guarded) load_guard(op, index);
  if (!native(op) && !compare(op) && !choose(op) && !predicates(op) && !narrow(op)) call_function(op);
}

}  // namespace lanescope::emulator

#endif
