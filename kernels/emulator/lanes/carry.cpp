// Additions, subtractions and multiply-adds that read or write the carry flag.
//
// A subtraction adds the complement: sub.cc is x + ~y + 1, subc is x + ~y + CC.CF. So the flag is the carry out of that
// sum, which is 1 where nothing was borrowed: 1 for 5 - 3, 0 for 3 - 5. Chains of subtractions do not show it, but an
// addc after a sub.cc does, as on an H200.

#include <map>
#include <string>
#include <type_traits>

#include "kernels/emulator/lanes/lane_math.h"
#include "kernels/emulator/lanes/operations.h"

namespace lanescope::emulator {

namespace {

enum class Kind { add, sub, mad_lo, mad_hi_u, mad_hi_s };

/// madc.hi.sat.s32: the sum with the flag, clamped.
void saturated_with_carry(u8* r, const Op& op, u32 mask) {
  const u32 flags = *row<u32>(r, op.carry);
  for (int l = 0; l < lanes; ++l) {
    if ((mask >> l & 1) == 0) continue;
    const s64 high = s64{row<s32>(r, op.a)[l]} * row<s32>(r, op.b)[l] >> 32;
    row<s32>(r, op.d)[l] = clamp_s32(high + row<s32>(r, op.c)[l] + (flags >> l & 1));
  }
}

template <class T, Kind kind, bool reads, bool writes>
void with_carry(u8* r, const Op& op, u32 mask) {
  u32& flags = *row<u32>(r, op.carry);
  u32 out = 0;
  for (int l = 0; l < lanes; ++l) {
    if ((mask >> l & 1) == 0) continue;
    T x = row<T>(r, op.a)[l], y = row<T>(r, op.b)[l];
    if constexpr (kind == Kind::mad_lo || kind == Kind::mad_hi_u || kind == Kind::mad_hi_s) {
      using S = std::make_signed_t<T>;
      if constexpr (kind == Kind::mad_lo)
        x = x * y;
      else if constexpr (kind == Kind::mad_hi_u)
        x = high_product(x, y);
      else
        x = static_cast<T>(high_product(static_cast<S>(x), static_cast<S>(y)));
      y = row<T>(r, op.c)[l];
    }
    if constexpr (kind == Kind::sub) y = static_cast<T>(~y);
    const T in = reads ? static_cast<T>(flags >> l & 1) : T{kind == Kind::sub};
    using Wide = unsigned __int128;
    const Wide result = Wide{x} + y + in;
    row<T>(r, op.d)[l] = static_cast<T>(result);
    out |= static_cast<u32>(result >> (8 * sizeof(T)) & 1) << l;
  }
  if (writes) flags = (flags & ~mask) | (out & mask);
}

}  // namespace

Exec find_carry_operation(std::string_view key) {
  static const std::map<std::string, Exec, std::less<>> table = [] {
    std::map<std::string, Exec, std::less<>> t;
    const auto put = [&]<Kind kind>(const std::string& plain, const std::string& carry,
                                    std::integral_constant<Kind, kind>) {
      t[plain + ".cc.32"] = with_carry<u32, kind, false, true>;
      t[plain + ".cc.64"] = with_carry<u64, kind, false, true>;
      t[carry + ".32"] = with_carry<u32, kind, true, false>;
      t[carry + ".64"] = with_carry<u64, kind, true, false>;
      t[carry + ".cc.32"] = with_carry<u32, kind, true, true>;
      t[carry + ".cc.64"] = with_carry<u64, kind, true, true>;
    };
    put("add", "addc", std::integral_constant<Kind, Kind::add>{});
    put("sub", "subc", std::integral_constant<Kind, Kind::sub>{});
    put("mad.lo", "madc.lo", std::integral_constant<Kind, Kind::mad_lo>{});
    put("mad.hi.u", "madc.hi.u", std::integral_constant<Kind, Kind::mad_hi_u>{});
    put("mad.hi.s", "madc.hi.s", std::integral_constant<Kind, Kind::mad_hi_s>{});
    t["madc.hi.s.sat.32"] = saturated_with_carry;
    return t;
  }();
  const auto it = table.find(key);
  return it == table.end() ? nullptr : it->second;
}

}  // namespace lanescope::emulator
