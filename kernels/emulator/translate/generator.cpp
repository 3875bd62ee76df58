#include "kernels/emulator/translate/generator.h"

#ifdef LANESCOPE_TRANSLATES

#include <algorithm>
#include <cstddef>

#include "kernels/emulator/lanes/operations.h"
#include "kernels/emulator/steps/steps.h"

namespace lanescope::emulator {

namespace {

constexpr std::size_t most_code_bytes = std::size_t{1} << 16;
/// Longer loops are stretches, but keep no rows from one round to the next: their code would be there twice.
constexpr u32 longest_loop = 96;
constexpr u32 row_bytes = 256;  ///< at most

template <class T>
u64 address_of(T* p) {
  return reinterpret_cast<u64>(p);
}

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

u32 vectors_of(u8 bits) { return bits == 64 ? 4 : 2; }

}  // namespace

#define FIELD(name) ptr[rbx + static_cast<int>(offsetof(StretchRun, name))]
#define ROW(at) ptr[r12 + static_cast<int>(at)]

Generator::Generator(const StretchPlan& plan) : CodeGenerator(most_code_bytes, Xbyak::DontSetProtectRWE), plan_(plan) {}

// ---- rows in registers

int Generator::slot_for(u32 at) {
  int best = -1;
  for (int i = 0; i < kept_registers; ++i) {
    const Slot& s = state_.slots[static_cast<std::size_t>(i)];
    if (s.at == at) return i;
    if (s.used == now_ && s.at != 0) continue;  // of this operation
    if (best < 0 || s.at == 0 || s.used < state_.slots[static_cast<std::size_t>(best)].used)
      if (best < 0 || state_.slots[static_cast<std::size_t>(best)].at != 0) best = i;
  }
  store(best);
  state_.slots[static_cast<std::size_t>(best)] = {};
  return best;
}

/// The vector of a row at this place. `loose`: it may have any NaNs.
Generator::Vector Generator::read(u32 at, bool loose) {
  const int i = slot_for(at);
  Slot& s = state_.slots[static_cast<std::size_t>(i)];
  if (s.at == 0) {
    s.at = at;
    vmovups(Vector(i), ROW(at));
  }
  if (!loose) settle(i);
  s.used = now_;
  return Vector(i);
}

/// The register that receives the new vector of this row: that of the old one, if there is one.
Generator::Vector Generator::write(u32 at, bool loose) {
  const int i = slot_for(at);
  state_.slots[static_cast<std::size_t>(i)] = {.at = at, .dirty = true, .loose = loose, .used = now_};
  std::erase_if(state_.runs, [&](const auto& run) { return at >= run.row && at - run.row < row_bytes; });
  return Vector(i);
}

void Generator::make_canonical(const Vector& v) {
  vcmpps(k7, v, v, 0x03);
  vpblendmd(v | k7, v, ptr_b[rbx + static_cast<int>(offsetof(StretchRun, canonical_nan))]);
}

void Generator::settle(int i) {
  Slot& s = state_.slots[static_cast<std::size_t>(i)];
  if (s.loose) make_canonical(Vector(i));
  s.loose = false;
}

void Generator::store(int i) {
  Slot& s = state_.slots[static_cast<std::size_t>(i)];
  if (s.at == 0 || !s.dirty) return;
  settle(i);
  vmovups(ROW(s.at), Vector(i));
  s.dirty = false;
}

void Generator::flush() {
  for (int i = 0; i < kept_registers; ++i) store(i);
}

void Generator::forget() { state_ = {}; }

/// Moves rows to where they are in `target`. What is changed there may be unchanged here.
void Generator::become(const State& target) {
  for (int i = 0; i < kept_registers; ++i) {
    const Slot &is = state_.slots[static_cast<std::size_t>(i)], &to = target.slots[static_cast<std::size_t>(i)];
    if (is.at != to.at || !to.dirty) store(i);
    if (is.loose && !to.loose) settle(i);
  }
  for (int i = 0; i < kept_registers; ++i) {
    const Slot &is = state_.slots[static_cast<std::size_t>(i)], &to = target.slots[static_cast<std::size_t>(i)];
    if (is.at != to.at && to.at != 0) vmovups(Vector(i), ROW(to.at));
  }
}

/// Eight lanes of a row of 32 bits as 64 bits.
Generator::Vector Generator::widened(u32 row_at, u32 part, bool is_signed, int into) {
  const Vector from = read(row_at + part / 2 * vector_bytes), to = scratch(into);
  Xbyak::Ymm half(from.getIdx());
  if (part % 2 == 1) {
    half = Xbyak::Ymm(to.getIdx());
    vextracti64x4(half, from, 1);
  }
  if (is_signed)
    vpmovsxdq(to, half);
  else
    vpmovzxdq(to, half);
  return to;
}

// ---- operations

/// eax: the lanes that execute the operation; what this says about counts is done.
void Generator::load_guard(const Op& op, u32 index) {
  mov(eax, dword[r12 + static_cast<int>(op.guard)]);
  if (op.guard_flip != 0) xor_(eax, op.guard_flip);
  mov(ecx, eax);
  not_(ecx);
  popcnt(ecx, ecx);
  add(qword[rbx + static_cast<int>(offsetof(StretchRun, idle_lanes))], rcx);
  if (plan_.observed) {
    mov(rcx, FIELD(active));
    mov(dword[rcx + static_cast<int>(index * 4)], eax);
  }
}

/// k1: those of the lanes in eax that are in this vector of so many. The next parts follow.
void Generator::part_of_guard(u32 part, u32 parts) {
  if (part != 0) shr(eax, static_cast<int>(lanes / parts));
  kmovw(k1, eax);
}

bool Generator::native(const Op& op) {
  const NativeOperation* const n = native_operation(op.exec);
  if (n == nullptr) return false;
  const u32 parts = vectors_of(n->bits);
  const u32 rows[] = {op.a, op.b, op.c};
  for (u32 p = 0; p < parts; ++p) {
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
    if (n->bits == 64)
      vmovdqa64(d | k1, all);
    else
      vmovdqa32(d | k1, all);
  }
  return true;
}

/// Predicate op.d (and op.d2) of the result in eax.
void Generator::combine_and_write(const Op& op) {
  const auto predicate = [&](u32 at) { return dword[r12 + static_cast<int>(at)]; };
  if (op.guarded) {
    mov(r9d, predicate(op.guard));
    if (op.guard_flip != 0) xor_(r9d, op.guard_flip);
  }
  if (op.bool_op != BoolOp::none) {
    mov(ecx, predicate(op.c));
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
      mov(r8d, predicate(at));
      xor_(r, r8d);
      and_(r, r9d);
      xor_(r, r8d);
    }
    mov(predicate(at), r);
  };
  finish(eax, op.d);
  if (second) finish(edx, op.d2);
}

bool Generator::compare(const Op& op) {
  if (op.exec != exec_setp) return false;
  const NativeComparison* const n = native_comparison(op.compare);
  if (n == nullptr) return false;
  using Type = NativeComparison::Type;
  const u32 parts = n->type == Type::s64 || n->type == Type::u64 ? 4 : 2;
  for (u32 p = 0; p < parts; ++p) {
    ++now_;
    const bool floats = n->type == Type::f32;
    const Vector a = read(op.a + p * vector_bytes, floats), b = read(op.b + p * vector_bytes, floats);
    const Xbyak::Opmask k(1 + static_cast<int>(p));
    if (n->type == Type::s32) vpcmpd(k, a, b, n->predicate);
    if (n->type == Type::u32) vpcmpud(k, a, b, n->predicate);
    if (n->type == Type::s64) vpcmpq(k, a, b, n->predicate);
    if (n->type == Type::u64) vpcmpuq(k, a, b, n->predicate);
    if (floats) vcmpps(k, a, b, n->predicate);
  }
  if (parts == 4) {
    kunpckbw(k1, k2, k1);
    kunpckbw(k2, k4, k3);
  }
  kunpckwd(k1, k2, k1);
  kmovd(eax, k1);
  combine_and_write(op);
  return true;
}

/// selp
bool Generator::choose(const Op& op) {
  const bool wide = op.exec == find_lane_operation("select.64");
  if (op.guarded || (!wide && op.exec != find_lane_operation("select.32"))) return false;
  mov(eax, dword[r12 + static_cast<int>(op.c)]);
  if (op.flip != 0) xor_(eax, op.flip);
  const u32 parts = wide ? 4 : 2;
  for (u32 p = 0; p < parts; ++p) {
    ++now_;
    const Vector a = read(op.a + p * vector_bytes), b = read(op.b + p * vector_bytes);
    const Vector d = write(op.d + p * vector_bytes);
    part_of_guard(p, parts);
    if (wide)
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
  const Xbyak::Xmm a(scratch(0).getIdx()), b(scratch(1).getIdx()), c(scratch(2).getIdx());
  vmovd(a, dword[r12 + static_cast<int>(op.a)]);
  vmovd(b, dword[r12 + static_cast<int>(op.b)]);
  vmovd(c, dword[r12 + static_cast<int>(op.c)]);
  vpternlogd(a, b, c, static_cast<u8>(table));
  vmovd(dword[r12 + static_cast<int>(op.d)], a);
  return true;
}

/// The low words of a register of 64 bits.
bool Generator::narrow(const Op& op) {
  if (op.guarded || op.exec != find_lane_operation("low.b64")) return false;
  for (u32 p = 0; p < 2; ++p) {
    ++now_;
    const Vector low = read(op.a + 2 * p * vector_bytes), high = read(op.a + (2 * p + 1) * vector_bytes);
    vpmovqd(Xbyak::Ymm(scratch(0).getIdx()), low);
    vpmovqd(Xbyak::Ymm(scratch(1).getIdx()), high);
    const Vector d = write(op.d + p * vector_bytes);
    vinserti64x4(d, scratch(0), Xbyak::Ymm(scratch(1).getIdx()), 1);
  }
  return true;
}

/// By the function that the interpreter calls.
void Generator::call_function(const Op& op) {
  flush();
  forget();
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

// ---- memory

/// Leaves the plain way unless the lanes of the row with the address are m.bytes apart, ascending.
void Generator::check_run(const MemoryOp& m, Late& late) {
  const auto same = [&](const Run& run) { return run.row == m.base && run.bytes == m.bytes; };
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
  if (plan_.observed || op.guarded || !m.plain_rows || (!writes && m.polls)) return false;
  if (!shared && (m.area != Area::global || plan_.has_view)) return false;
  if (m.offset != static_cast<s32>(m.offset)) return false;
  ++now_;
  const u32 parts = vectors_of(m.register_bits[0]), row_at = m.registers[0];
  // Rows come first into registers, so that the state is the same when code after the stretch comes back.
  for (u32 p = 0; p < vectors_of(m.base_bits); ++p) read(m.base + p * vector_bytes);
  for (u32 p = 0; p < parts && writes; ++p) read(row_at + p * vector_bytes);
  Late& late = late_.emplace_back();
  late.index = index;
  late.before = state_;
  const Xbyak::Xmm first(read(m.base).getIdx());
  check_run(m, late);
  if (m.base_bits == 64) {
    vmovq(rax, first);
    if (m.offset != 0) add(rax, static_cast<u32>(m.offset));
  } else {
    vmovd(eax, first);
    if (m.offset != 0) add(eax, static_cast<u32>(m.offset));
  }
  test(eax, m.bytes - 1);
  jnz(late.at, T_NEAR);
  if (shared) {
    mov(rcx, FIELD(shared));
  } else {
    mov(rcx, address_of(plan_.sites + index));
    mov(rcx, ptr[rcx]);
    test(rcx, rcx);
    jz(late.at, T_NEAR);
  }
  sub(rax, ptr[rcx + static_cast<int>(offsetof(Store, base))]);
  mov(rdx, ptr[rcx + static_cast<int>(offsetof(Store, bytes))]);
  sub(rdx, m.bytes * u32{lanes});
  jb(late.at, T_NEAR);
  cmp(rax, rdx);
  ja(late.at, T_NEAR);
  add(rax, ptr[rcx + static_cast<int>(offsetof(Store, data))]);
  for (u32 p = 0; p < parts; ++p) {
    const auto memory = ptr[rax + static_cast<int>(p * vector_bytes)];
    if (writes)
      vmovups(memory, read(row_at + p * vector_bytes));
    else
      vmovups(write(row_at + p * vector_bytes), memory);
  }
  if (writes) inc(qword[rbx + static_cast<int>(offsetof(StretchRun, stores))]);
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
  forget();
  mov(rdi, rbx);
  mov(esi, index);
  vzeroupper();
  mov(rax, reinterpret_cast<u64>(plan_.run_step));
  Xbyak::CodeGenerator::call(rax);
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
    mov(rdi, rbx);
    mov(esi, late.index);
    vzeroupper();
    mov(rax, reinterpret_cast<u64>(plan_.run_step));
    Xbyak::CodeGenerator::call(rax);
    Xbyak::Label on;
    test(rax, rax);
    jz(on);
    leave(plan_.first + late.index, Flow::faulted, late.index + 1);
    L(on);
    for (int s = 0; s < kept_registers; ++s)
      if (const Slot& to = late.after.slots[static_cast<std::size_t>(s)]; to.at != 0) vmovups(Vector(s), ROW(to.at));
    jmp(late.back, T_NEAR);
  }
}

// ---- the stretch

void Generator::leave(u32 pc, Flow flow, u32 executed) {
  add(qword[rbx + static_cast<int>(offsetof(StretchRun, executed))], executed);
  mov(rax, u64{pc} | u64{static_cast<u8>(flow)} << 32);
  jmp(end_, T_NEAR);
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
    if (native_operation(op.exec) == nullptr || meets(op.d)) return true;
  }
  return false;
}

/// The last operation. `inside_loop`: it leads back to loop_, where the state is loop_state_; else, if it leads to the
/// beginning, the rest of the code is that of the loop.
void Generator::branch(bool inside_loop) {
  const u32 pc = plan_.first + plan_.count - 1;
  const Op& op = plan_.program->ops[pc];
  Xbyak::Label taken, mixed;
  const bool loops = op.immediate == plan_.first && plan_.count <= longest_loop;
  if (op.guarded) {
    mov(eax, dword[r12 + static_cast<int>(op.guard)]);
    if (op.guard_flip != 0) xor_(eax, op.guard_flip);
    cmp(eax, all_lanes);
    je(taken, T_NEAR);
    const State before = state_;
    flush();
    test(eax, eax);
    jnz(mixed);
    add(qword[rbx + static_cast<int>(offsetof(StretchRun, idle_lanes))], lanes);
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
  add(qword[rbx + static_cast<int>(offsetof(StretchRun, executed))], plan_.count);
  sub(qword[rbx + static_cast<int>(offsetof(StretchRun, left))], plan_.count);
  cmp(qword[rbx + static_cast<int>(offsetof(StretchRun, left))], plan_.count);
  Xbyak::Label again;
  jae(again, T_NEAR);
  const State before = state_;
  flush();
  leave(op.immediate, Flow::jumped, 0);
  state_ = before;
  L(again);
  if (inside_loop) {
    become(*loop_state_);
    jmp(loop_, T_NEAR);
    return;
  }
  // What holds at the beginning of each round is what no round changes.
  std::erase_if(state_.runs, [&](const auto& run) { return is_written(run.row); });
  loop_state_ = state_;
  L(loop_);
  body();
  branch(true);
}

void Generator::body() {
  const bool branches = plan_.program->ops[plan_.first + plan_.count - 1].is_branch;
  for (u32 i = 0; i + (branches ? 1 : 0) < plan_.count; ++i) operation(i);
}

StretchCode Generator::generate() {
  push(rbx);
  push(r12);
  push(r13);
  xor_(r13d, r13d);
  mov(rbx, rdi);
  mov(r12, FIELD(registers));
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
  if (Xbyak::GetError() != Xbyak::ERR_NONE || hasUndefinedLabel()) return Xbyak::ClearError(), nullptr;
  if (!setProtectModeRE(false)) return nullptr;
  return getCode<StretchCode>();
}

}  // namespace lanescope::emulator

#endif
