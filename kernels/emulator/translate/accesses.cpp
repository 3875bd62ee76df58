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
    const Vector b = prepared(m.base + p * vector_bytes, 1);
    if (p == 0)
      wide ? vpbroadcastq(scratch(0), Xbyak::Xmm(b.getIdx())) : vpbroadcastd(scratch(0), Xbyak::Xmm(b.getIdx()));
    const auto ascends = ptr[rax + static_cast<int>(p * vector_bytes)];
    wide ? vpsubq(scratch(1), b, ascends) : vpsubd(scratch(1), b, ascends);
    if (narrow()) {  // scratch(2): bits that differ
      vpxor(p == 0 ? scratch(2) : scratch(1), scratch(1), scratch(0));
      if (p != 0) vpor(scratch(2), scratch(2), scratch(1));
      continue;
    }
    wide ? vpcmpq(p == 0 ? k2 : k1, scratch(1), scratch(0), 4) : vpcmpd(p == 0 ? k2 : k1, scratch(1), scratch(0), 4);
    if (p != 0) korw(k2, k2, k1);
  }
  if (narrow())
    vptest(scratch(2), scratch(2));
  else
    kortestw(k2, k2);
  jnz(late.no_run, T_NEAR);
  if (late.bit == 0) return;
  or_(r13d, late.bit);
  state_.runs.push_back({m.base, m.bytes, late.bit});
}

/// Whether the code can find the store that is accessed: blocks that run ahead reach global memory through their view only.
bool Generator::has_site(const MemoryOp& m) const {
  return m.area == Area::shared || (m.area == Area::global && !plan_.has_view);
}

/// rcx: the store that is accessed, probably.
void Generator::load_store(const MemoryOp& m, u32 index, const Xbyak::Label& otherwise) {
  if (m.area == Area::shared) return mov(rcx, field(offsetof(StretchRun, shared)));
  mov(rcx, address_of(plan_.sites + index));
  mov(rcx, ptr[rcx]);
  test(rcx, rcx);
  jz(otherwise, T_NEAR);
}

/// A whole warp's access to consecutive words of the store that this operation accessed before; step() in all other cases.
bool Generator::plain_access(const MemoryOp& m, u32 index) {
  const Op& op = plan_.program->ops[plan_.first + index];
  const bool shared = m.area == Area::shared, writes = m.kind == trace::AccessKind::store;
  if (op.guarded || !m.plain_rows || (!writes && m.polls) || !has_site(m)) return false;
  if (m.offset != static_cast<s32>(m.offset)) return false;
  ++now_;
  const u32 parts = vectors_of(m.register_bits[0]), value = m.registers[0];
  // Rows come first into registers, so that the state is the same when code after the stretch comes back.
  const bool checks = std::ranges::none_of(state_.runs, [&](const Run& run) { return is_of(run, m); });
  for (u32 p = 0; p < vectors_of(m.base_bits) && checks; ++p) prepare(m.base + p * vector_bytes);
  for (u32 p = 0; p < parts && writes; ++p) prepare(value + p * vector_bytes);
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
  load_store(m, index, late.at);
  if (!shared) mov(r8, rax);
  sub(rax, field_of(rcx, offsetof(Store, base)));
  if (shared) mov(r8, rax);  // what observers see of it
  mov(rdx, field_of(rcx, offsetof(Store, bytes)));
  sub(rdx, m.bytes * u32{lanes});
  jb(late.at, T_NEAR);
  cmp(rax, rdx);
  ja(late.at, T_NEAR);
  add(rax, field_of(rcx, offsetof(Store, data)));
  for (u32 p = 0; p < parts; ++p) {
    const auto memory = ptr[rax + static_cast<int>(p * vector_bytes)];
    if (writes)
      vmovups(memory, prepared(value + p * vector_bytes, 0));
    else
      vmovups(write(value + p * vector_bytes), memory);
  }
  if (writes) inc(field(offsetof(StretchRun, stores)));
  if (plan_.observed) {
    flush();
    forget_rows();
    mov(rcx, address_of(m.bytes == 8 ? ascending_64.of_8 : ascending_64.of_4));
    vpbroadcastq(scratch(0), r8);
    for (u32 p = 0; p < vectors_of(64); ++p) {
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
  step_on_rows(index);
}

/// The same, where all rows are stored.
void Generator::step_on_rows(u32 index) {
  Xbyak::Label done;
  gather(index, done);
  call(reinterpret_cast<const void*>(plan_.calls.run), index);
  test(rax, rax);
  jz(done, T_NEAR);
  leave(plan_.first + index, Flow::faulted, index + 1);
  L(done);
}

/// A load of a whole warp from anywhere in the store that this operation accessed before, from row to row: leads to `done`.
/// All registers for vectors may be used.
void Generator::gather(u32 index, const Xbyak::Label& done) {
  const Op& op = plan_.program->ops[plan_.first + index];
  const MemoryOp& m = plan_.program->memory[op.immediate];
  const bool fits = std::all_of(m.register_bits.begin(), m.register_bits.begin() + m.count,
                                [&](u8 bits) { return m.bytes >= 4 && bits == m.bytes * 8; });
  if (plan_.observed || op.guarded || m.kind != trace::AccessKind::load || m.polls || !fits || !has_site(m)) return;
  const u32 width = m.bytes * m.count;
  Xbyak::Label otherwise, apart;
  load_store(m, index, otherwise);
  // The first ones: addresses; k1: lanes that are not inside, or not aligned; k3: those at the place of lane 0
  const int parts = static_cast<int>(vectors_of(64));
  const Vector offset = vector(parts), base = vector(parts + 1), most = vector(parts + 2),
               unaligned = vector(parts + 3);
  const Vector value = vector(parts + 4);
  // Of narrow vectors: bits of addresses, bits of which the sign is set outside, bits that are not those of lane 0
  const Vector bits = vector(13), outside = vector(14), apart_bits = vector(15);
  mov(rax, static_cast<u64>(m.offset));
  vpbroadcastq(offset, rax);
  mov(rax, u64{width - 1});
  vpbroadcastq(unaligned, rax);
  vpbroadcastq(base, field_of(rcx, offsetof(Store, base)));
  mov(rdx, field_of(rcx, offsetof(Store, bytes)));
  sub(rdx, width);
  jb(otherwise, T_NEAR);
  vpbroadcastq(most, rdx);
  if (narrow()) {
    for (const Vector& v : {bits, outside, apart_bits}) vpxor(v, v, v);
  } else {
    kxorw(k1, k1, k1);
    kxnorw(k3, k3, k3);
  }
  for (int p = 0; p < parts; ++p) {
    const Vector at = vector(p);
    if (m.base_bits == 64) {
      vpaddq(at, offset, row_at(m.base + static_cast<u32>(p) * vector_bytes));
    } else {
      const Vector low = half(p);
      vpbroadcastd(low, Xbyak::Xmm(offset.getIdx()));
      vpaddd(low, low, row_at(m.base + static_cast<u32>(p) * vector_bytes / 2));
      vpmovzxdq(at, low);
    }
    if (narrow()) {
      const Vector& t = unaligned;
      vpor(bits, bits, at);
      vpsubq(at, at, base);
      vpsubq(t, most, at);  // its sign, or that of the offset
      vpor(t, t, at);
      vpor(outside, outside, t);
      if (p == 0) vpbroadcastq(value, Xbyak::Xmm(0));
      vpxor(t, at, value);
      vpor(apart_bits, apart_bits, t);
      continue;
    }
    vptestmq(k2, at, unaligned);
    korw(k1, k1, k2);
    vpsubq(at, at, base);
    vpcmpuq(k2, at, most, 6);
    korw(k1, k1, k2);
    if (p == 0) vpbroadcastq(value, Xbyak::Xmm(0));
    vpcmpeqq(k2, at, value);
    kandw(k3, k3, k2);
  }
  if (narrow()) {
    vpbroadcastq(unaligned, rax);
    vptest(bits, unaligned);
    jnz(otherwise, T_NEAR);
    vmovmskpd(eax, outside);
    test(eax, eax);
  } else {
    kortestw(k1, k1);
  }
  jnz(otherwise, T_NEAR);
  mov(rdx, field_of(rcx, offsetof(Store, data)));
  if (narrow()) {
    vptest(apart_bits, apart_bits);
  } else {
    kmovw(eax, k3);
    cmp(eax, 0xff);
  }
  jne(apart, T_NEAR);
  vmovq(rax, Xbyak::Xmm(0));  // all lanes read one place
  for (u32 e = 0; e < m.count; ++e) {
    const auto memory = ptr[rdx + rax + static_cast<int>(e * m.bytes)];
    m.bytes == 8 ? vpbroadcastq(value, memory) : vpbroadcastd(value, memory);
    for (u32 p = 0; p < vectors_of(m.register_bits[e]); ++p) vmovups(row_at(m.registers[e] + p * vector_bytes), value);
  }
  jmp(done, T_NEAR);
  L(apart);
  for (u32 e = 0; e < m.count; ++e)
    for (int p = 0; p < parts; ++p) {
      const auto memory = ptr[rdx + vector(p) + static_cast<int>(e * m.bytes)];
      const auto to = row_at(m.registers[e] + static_cast<u32>(p) * vector_bytes * m.bytes / 8);
      const Vector read = m.bytes == 8 ? value : half(value.getIdx());
      if (narrow()) {
        const Vector all = read.copyAndSetIdx(bits.getIdx());
        vpcmpeqd(all, all, all);
        m.bytes == 8 ? vpgatherqq(read, memory, all) : vpgatherqd(read, memory, all);
      } else {
        kxnorw(k1, k1, k1);
        m.bytes == 8 ? vpgatherqq(read | k1, memory) : vpgatherqd(read | k1, memory);
      }
      vmovups(to, read);
    }
  jmp(done, T_NEAR);
  L(otherwise);
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
    step_on_rows(late.index);
    for (int s = 0; s < kept_registers; ++s)
      if (const Slot& to = late.after.slots[static_cast<std::size_t>(s)]; to.at != 0) vmovups(vector(s), row_at(to.at));
    jmp(late.back, T_NEAR);
  }
}

}  // namespace lanescope::emulator

#endif
