// Identities of whole registers and of parts of them, moved as they are.

#include "kernels/emulator/tags/rules.h"

namespace lanescope::emulator {

namespace {
/// 128 bits: two registers of 64 bits one after the other.
void copy_halves(TagContext& t, const MoveOp& m, u32 mask) {
  for (std::size_t i = 0; i < m.parts.size(); ++i) {
    const u32 half = m.whole + 256 * static_cast<u32>(i);
    const u32 from = m.packs ? m.parts[i] : half, to = m.packs ? half : m.parts[i];
    if (m.parts[i] == 0) continue;
    if (!t.carries(from, 64)) {
      t.clear(to, 64, mask);
      continue;
    }
    t.mark(to);
    t.copy(from, to, 64, mask);
  }
}
}  // namespace

void tag_pack(TagContext& t, const Op& op, u32 mask) {
  const MoveOp& m = *op.move;
  if (m.part_bits == 64) return copy_halves(t, m, mask);
  t.clear(m.whole, m.whole_bits, mask);
  for (std::size_t i = 0; i < m.parts.size(); ++i) {
    if (!t.carries(m.parts[i], 32)) continue;
    t.mark(m.whole);
    const u32 first = static_cast<u32>(i) * m.part_bits;
    for (int l = 0; l < lanes; ++l)
      if ((mask >> l & 1) != 0) {
        u32& into = t.words(m.whole)[(first / 32) * lanes + static_cast<u32>(l)];
        const u32 part = t.words(m.parts[i])[l];
        into = m.part_bits == 32 ? part : t.merge(into, part, first % 32, m.part_bits);
      }
  }
}

void tag_unpack(TagContext& t, const Op& op, u32 mask) {
  const MoveOp& m = *op.move;
  if (m.part_bits == 64) return copy_halves(t, m, mask);
  for (std::size_t i = 0; i < m.parts.size(); ++i) {
    if (m.parts[i] == 0) continue;
    t.clear(m.parts[i], 32, mask);
    if (!t.carries(m.whole, m.whole_bits)) continue;
    t.mark(m.parts[i]);
    const u32 first = static_cast<u32>(i) * m.part_bits;
    for (int l = 0; l < lanes; ++l)
      if ((mask >> l & 1) != 0)
        t.words(m.parts[i])[l] =
            t.cut(t.words(m.whole)[(first / 32) * lanes + static_cast<u32>(l)], first % 32, m.part_bits, false);
  }
}

}  // namespace lanescope::emulator
