// Rows of the warp in vector registers: which are there, and which changed.

#include "kernels/emulator/translate/generator.h"

#ifdef LANESCOPE_TRANSLATES

#include <algorithm>

namespace lanescope::emulator {

int Generator::slot_for(u32 at) {
  int best = -1;
  u32 best_use = 0;  ///< the register that was used before all others is given away
  for (int i = 0; i < kept_registers; ++i) {
    const Slot& s = state_.slots[static_cast<std::size_t>(i)];
    if (s.at == at) return i;
    if (s.used == now_ && s.at != 0) continue;  // of this operation
    const u32 last_use = s.at == 0 ? 0 : s.used;
    if (best < 0 || last_use < best_use) best = i, best_use = last_use;
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
    vmovups(vector(i), row_at(at));
  }
  if (!loose) settle(i);
  s.used = now_;
  return vector(i);
}

/// An access checks and copies vectors of rows while the contents of registers stay as they are: prepared() gives those
/// that prepare() has seen before. Narrow ones may be too many for the registers, so none is loaded to stay.
void Generator::prepare(u32 at) {
  if (!narrow()) {
    read(at);
  } else if (const auto slot = std::ranges::find(state_.slots, at, &Slot::at); slot != state_.slots.end()) {
    settle(static_cast<int>(slot - state_.slots.begin()));
  }
}
Generator::Vector Generator::prepared(u32 at, int into) {
  if (!narrow()) return read(at);
  const auto slot = std::ranges::find(state_.slots, at, &Slot::at);
  if (slot != state_.slots.end()) return vector(static_cast<int>(slot - state_.slots.begin()));
  vmovups(scratch(into), row_at(at));
  return scratch(into);
}

/// The register that receives the new vector of this row: that of the old one, if there is one.
Generator::Vector Generator::write(u32 at, bool loose) {
  const int i = slot_for(at);
  state_.slots[static_cast<std::size_t>(i)] = {.at = at, .dirty = true, .loose = loose, .used = now_};
  std::erase_if(state_.runs, [&](const auto& run) { return at >= run.row && at - run.row < row_bytes; });
  return vector(i);
}

/// Narrow vectors use scratch(1).
void Generator::make_canonical(const Vector& v) {
  if (narrow()) {
    vcmpps(scratch(1), v, v, 0x03);
    return vblendvps(v, v, constant(nans), scratch(1));
  }
  vcmpps(k7, v, v, 0x03);
  vpblendmd(v | k7, v, ptr_b[rbx + static_cast<int>(offsetof(StretchRun, canonical_nan))]);
}

void Generator::settle(int i) {
  Slot& s = state_.slots[static_cast<std::size_t>(i)];
  if (s.loose) make_canonical(vector(i));
  s.loose = false;
}

void Generator::store(int i) {
  Slot& s = state_.slots[static_cast<std::size_t>(i)];
  if (s.at == 0 || !s.dirty) return;
  settle(i);
  vmovups(row_at(s.at), vector(i));
  s.dirty = false;
}

void Generator::flush() {
  for (int i = 0; i < kept_registers; ++i) store(i);
}

/// They are in memory only.
void Generator::forget_rows() { state_.slots = {}; }

/// Moves rows to where they are in `target`. Rows that are changed there may be unchanged here.
void Generator::become(const State& target) {
  for (int i = 0; i < kept_registers; ++i) {
    const Slot &is = state_.slots[static_cast<std::size_t>(i)], &to = target.slots[static_cast<std::size_t>(i)];
    if (is.at != to.at || !to.dirty) store(i);
    if (is.loose && !to.loose) settle(i);
  }
  for (int i = 0; i < kept_registers; ++i) {
    const Slot &is = state_.slots[static_cast<std::size_t>(i)], &to = target.slots[static_cast<std::size_t>(i)];
    if (is.at != to.at && to.at != 0) vmovups(vector(i), row_at(to.at));
  }
}

/// As many lanes of a row of 32 bits as 64 bits as a vector has.
Generator::Vector Generator::widened(u32 row_at, u32 part, bool is_signed, int into) {
  const Vector from = read(row_at + part / 2 * vector_bytes), to = scratch(into);
  Vector low = half(from.getIdx());
  if (part % 2 == 1) {
    low = half(to.getIdx());
    if (narrow())
      vextracti128(low, Xbyak::Ymm(from.getIdx()), 1);
    else
      vextracti64x4(low, Xbyak::Zmm(from.getIdx()), 1);
  }
  if (is_signed)
    vpmovsxdq(to, low);
  else
    vpmovzxdq(to, low);
  return to;
}

}  // namespace lanescope::emulator

#endif
