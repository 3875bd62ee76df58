#pragma once
// Forms that compute registers from registers, run over many inputs: one kernel for many instances, in the emulator or on
// a GPU, and the inputs.
//
// Thread i has inputs a[i], b[i], c[i] of 64 bits. Instance k leaves two words of 64 bits at out[2 * (k * threads + i)]:
// its first result with its third and fourth in the upper half (or predicates: bit 0 of %p, bit 1 of %q), and its second.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/emulator/forms/forms.h"

namespace lanescope::emulator::test {

using u32 = std::uint32_t;
using u64 = std::uint64_t;

/// Whether the last statement writes registers from registers and constants.
inline bool is_lane_form(const Form& form) { return form.refused.empty() && form.test.starts_with("LaneForms."); }

inline std::string lane_kernel(std::span<const std::string> instances, const std::string& target,
                               const std::string& version) {
  std::string text = ".version " + version + "\n.target " + target + R"(
.address_size 64
.visible .entry forms(.param .u64 pa, .param .u64 pb, .param .u64 pc, .param .u64 po)
{
.reg .b8 %d8, %a8, %z8; .reg .b16 %d16, %e16, %f16, %g16, %a16, %b16, %c16;
.reg .b32 %d32, %e32, %f32, %g32, %a32, %b32, %c32, %x32, %y32, %t, %n, %w;
.reg .b64 %d64, %e64, %a64, %b64, %c64, %o, %s, %step, %v; .reg .b128 %d128, %a128;
.reg .pred %p, %q, %pa, %pb, %pt;
ld.param.u64 %a64, [pa]; ld.param.u64 %b64, [pb]; ld.param.u64 %c64, [pc]; ld.param.u64 %o, [po];
mov.u32 %t, %ctaid.x; mov.u32 %n, %ntid.x; mov.u32 %w, %tid.x; mad.lo.s32 %t, %t, %n, %w;
mov.u32 %w, %nctaid.x; mul.lo.u32 %n, %n, %w; mul.wide.u32 %step, %n, 16;
mul.wide.u32 %s, %t, 8; add.s64 %a64, %a64, %s; add.s64 %b64, %b64, %s; add.s64 %c64, %c64, %s;
ld.global.b64 %a64, [%a64]; ld.global.b64 %b64, [%b64]; ld.global.b64 %c64, [%c64];
mul.wide.u32 %s, %t, 16; add.s64 %o, %o, %s;
cvt.u32.u64 %a32, %a64; cvt.u32.u64 %b32, %b64; cvt.u32.u64 %c32, %c64;
shr.u64 %s, %c64, 32; cvt.u32.u64 %x32, %s; shr.u64 %s, %b64, 32; cvt.u32.u64 %y32, %s;
cvt.u16.u64 %a16, %a64; cvt.u16.u64 %b16, %b64; cvt.u16.u64 %c16, %c64;
and.b32 %w, %a32, 1; setp.ne.u32 %pa, %w, 0; and.b32 %w, %a32, 2; setp.ne.u32 %pb, %w, 0;
)";
  for (const std::string& i : instances) {
    const auto has = [&](std::string_view name) { return i.find(name) != std::string::npos; };
    const bool predicate = has("%p,") || has("%p|") || has("|%p");
    text += "mov.b64 %d64, 0; mov.b64 %e64, 0; mov.b32 %d32, 0; mov.b16 %d16, 0; mov.b32 %e32, 0; mov.b16 %e16, 0;\n";
    if (predicate) text += "setp.ne.u32 %p, %n, %n; setp.ne.u32 %q, %n, %n;\n";
    text += i + ";\n";
    if (has("%d8")) text += "mov.b16 %d16, 0; mov.b16 {%z8, _}, %d16; mov.b16 %d16, {%d8, %z8};\n";
    if (has("%d8") || has("%d16")) text += "cvt.u64.u16 %d64, %d16;\n";
    if (has("%d32")) text += "cvt.u64.u32 %d64, %d32;\n";
    if (has("%e16")) text += "cvt.u64.u16 %e64, %e16;\n";
    if (has("%e32") && !has("_}")) text += "cvt.u64.u32 %e64, %e32;\n";
    if (has("%f16")) text += "cvt.u64.u16 %v, %f16; shl.b64 %v, %v, 32; or.b64 %d64, %d64, %v;\n";
    if (has("%g16")) text += "cvt.u64.u16 %v, %g16; shl.b64 %v, %v, 48; or.b64 %d64, %d64, %v;\n";
    if (predicate && has("%d32"))
      text += "selp.u64 %e64, 1, 0, %p;\n";
    else if (predicate)
      text += "selp.u64 %d64, 1, 0, %p; selp.u64 %v, 2, 0, %q; or.b64 %d64, %d64, %v;\n";
    text += "st.global.b64 [%o], %d64; st.global.b64 [%o+8], %e64; add.s64 %o, %o, %step;\n";
    if (has(".cc")) text += "add.cc.u32 %w, 0, 0;\n";
  }
  return text + "ret;\n}\n";
}

/// Numbers with the corners of every type: small and large integers, halves, floats and doubles with infinities, NaN,
/// subnormals, and neighbours of powers of two.
class LaneInputs {
 public:
  explicit LaneInputs(u64 seed) : state_(seed) {}
  u64 random() {
    state_ += 0x9e3779b97f4a7c15u;
    u64 z = state_;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  u64 next() { return next(static_cast<int>(random() % kinds)); }
  static constexpr int kinds = 8;
  /// Of one kind: integers below 3, then halves, floats, doubles, floats in 64 bits, bfloats.
  u64 next(int kind) {
    const u64 r = random();
    switch (kind) {
      case 0:
        return random();
      case 1:
        return random() >> (r >> 8 & 63);
      case 2:  // numbers below 80, or close to a power of two
        return (r >> 20 & 1) != 0 ? r >> 32 & 63 : (u64{1} << (r >> 8 & 63)) + (r >> 40 & 3) - 1;
      case 3:
        return halves(r);
      case 4:
        return u64{single(r)} << 32 | single(random());
      case 5:
        return twice(r);
      case 6:
        return u64{single(r)};
      default:
        return bfloats(r);
    }
  }

 private:
  /// A float of moderate exponent mostly.
  u32 single(u64 r) {
    static constexpr u32 corners[] = {0,          0x80000000, 0x7f800000, 0xff800000, 0x7fc00000, 0xffc00001,
                                      1,          0x80000001, 0x007fffff, 0x00800000, 0x7f7fffff, 0xff7fffff,
                                      0x3f800000, 0xbf800000, 0x3f7fffff, 0x3f800001, 0x4b000000, 0x4b800000,
                                      0x4f000000, 0xcf000000, 0x4f800000, 0x5f000000, 0x477fe000, 0x477ff000,
                                      0x33800000, 0x33000000, 0x38800000, 0x387fffff, 0x43e00000, 0x47600000};
    if (r % 5 == 0) return corners[(r >> 8) % std::size(corners)];
    const u32 exponent = (r & 16) != 0 ? 117 + (r >> 8 & 31) : static_cast<u32>(r >> 8 & 255);
    const u32 mantissa =
        (r & 32) != 0 ? static_cast<u32>(random()) & 0x7fffff : static_cast<u32>(r >> 16 & 0x7ff) << 12;
    return static_cast<u32>(r >> 63) << 31 | exponent << 23 | mantissa;
  }
  u64 twice(u64 r) {
    static constexpr u64 corners[] = {0,
                                      u64{1} << 63,
                                      0x7ff0000000000000,
                                      0xfff0000000000000,
                                      0x7ff8000000000000,
                                      0xfff8000000000001,
                                      1,
                                      0x000fffffffffffff,
                                      0x0010000000000000,
                                      0x7fefffffffffffff,
                                      0x3ff0000000000000,
                                      0xbff0000000000000,
                                      0x41dfffffffc00000,
                                      0x41e0000000000000,
                                      0xc1e0000000000000,
                                      0x43e0000000000000,
                                      0x47efffffe0000000,
                                      0x36a0000000000000};
    if (r % 5 == 0) return corners[(r >> 8) % std::size(corners)];
    const u64 exponent = (r & 16) != 0 ? 1013 + (r >> 8 & 31) : r >> 8 & 2047;
    return r >> 63 << 63 | exponent << 52 | (random() & 0xfffffffffffff);
  }
  u64 halves(u64 r) {
    static constexpr u64 corners[] = {0,     0x8000, 0x7c00, 0xfc00, 0x7e00, 0xffff, 1,
                                      0x3ff, 0x400,  0x7bff, 0x3c00, 0xbc00, 0x3bff};
    u64 word = 0;
    for (int i = 0; i < 4; ++i) {
      const u64 h = random();
      word = word << 16 | (h % 4 == 0   ? corners[(h >> 8) % std::size(corners)]
                           : h % 4 == 1 ? h >> 8 & 0xffff
                                        : (h >> 8 & 0x83ff) | (10 + (h >> 40) % 10) << 10);
    }
    return r % 3 == 0 ? word & 0xffff : word;
  }
  u64 bfloats(u64 r) {
    u64 word = 0;
    for (int i = 0; i < 4; ++i) word = word << 16 | single(random()) >> 16;
    return r % 3 == 0 ? word & 0xffff : word;
  }
  u64 state_;
};

}  // namespace lanescope::emulator::test
