// f32 and f64 arithmetic that rounds toward zero, down or up, by the host's own rounding mode. Operands pass through
// volatile so that nothing is computed before the mode is set.

#include <cfenv>
#include <map>
#include <string>

#include "kernels/emulator/lanes/lane_math.h"
#include "kernels/emulator/lanes/operations.h"

namespace lanescope::emulator {

namespace {

template <class T>
T load(const u8* r, u32 offset, int l) {
  if constexpr (sizeof(T) == 8)
    return __builtin_bit_cast(T, row<u64>(r, offset)[l]);
  else
    return __builtin_bit_cast(T, row<u32>(r, offset)[l]);
}

// `wide` is the result with as many bits as its rounding away from zero to 2^-126 depends on.
struct Product {
  template <class T>
  T operator()(T a, T b, T) const {
    return a * b;
  }
  static double wide(float a, float b, float) { return double{a} * double{b}; }
};
struct Fused {
  template <class T>
  T operator()(T a, T b, T c) const {
    return fused(a, b, c);
  }
  static double wide(float a, float b, float c) { return fused_to_odd(a, b, c); }
};
struct Quotient {
  template <class T>
  T operator()(T a, T b, T) const {
    return a / b;
  }
  static double wide(float a, float b, float) { return double{a} / double{b}; }
};

/// Of a result of ±2^-126: whether it would be less if rounded with an endless exponent; .ftz then makes it 0 (as an H200).
template <class F>
bool is_flushed(float a, float b, float c, int mode) {
  std::fesetround(FE_TONEAREST);
  const bool flushed = __builtin_fabs(F::wide(a, b, c)) <= 0x1.fffffep-127;
  std::fesetround(mode);
  return flushed;
}

template <class T, int mode, bool ftz, bool sat, class F>
void rounded(u8* r, const Op& op, u32 mask) {
  const int before = std::fegetround();
  std::fesetround(mode);
  for (int l = 0; l < lanes; ++l) {
    if ((mask >> l & 1) == 0) continue;
    const auto in = [&](u32 offset, u8 bits) {
      T x = bits == 0 ? T(0) : load<T>(r, offset, l);
      if constexpr (ftz) x = flushed(x);
      return x;
    };
    volatile T a = in(op.a, op.a_bits), b = in(op.b, op.b_bits), c = in(op.c, op.c_bits);
    volatile T result = F{}(static_cast<T>(a), static_cast<T>(b), static_cast<T>(c));
    if constexpr (ftz && requires { &F::wide; })
      if (__builtin_fabsf(result) == 0x1p-126f && is_flushed<F>(a, b, c, mode)) result = __builtin_copysignf(0, result);
    // A quotient keeps the payload of its first operand.
    T out = std::is_same_v<F, Quotient>
                ? propagated(static_cast<T>(result), static_cast<T>(b), static_cast<T>(a))
                : propagated(static_cast<T>(result), static_cast<T>(a), static_cast<T>(b), static_cast<T>(c));
    if constexpr (sat) out = saturated(out);
    if constexpr (ftz) out = flushed(out);
    if constexpr (sizeof(T) == 8)
      row<u64>(r, op.d)[l] = __builtin_bit_cast(u64, out);
    else
      row<u32>(r, op.d)[l] = __builtin_bit_cast(u32, out);
  }
  std::fesetround(before);
}

using Table = std::map<std::string, Exec, std::less<>>;

template <class T, int mode, bool ftz, bool sat>
void add_mode(Table& table, const std::string& suffix) {
  const auto put = [&]<class F>(const char* name, F) { table[name + suffix] = rounded<T, mode, ftz, sat, F>; };
  put("add", [](T a, T b, T) { return a + b; });
  put("sub", [](T a, T b, T) { return a - b; });
  put("mul", Product{});
  put("div", Quotient{});
  put("fma", Fused{});
  put("sqrt", [](T a, T, T) { return square_root(a); });
  put("rcp", [](T a, T, T) { return T(1) / a; });
}

template <int mode>
void add_modes(Table& table, const std::string& name) {
  add_mode<float, mode, false, false>(table, "." + name + ".f32");
  add_mode<float, mode, true, false>(table, "." + name + ".ftz.f32");
  add_mode<float, mode, false, true>(table, "." + name + ".sat.f32");
  add_mode<float, mode, true, true>(table, "." + name + ".ftz.sat.f32");
  add_mode<double, mode, false, false>(table, "." + name + ".f64");
}

}  // namespace

Exec find_rounded_operation(std::string_view key) {
  static const Table table = [] {
    Table t;
    add_modes<FE_TOWARDZERO>(t, "rz");
    add_modes<FE_DOWNWARD>(t, "rm");
    add_modes<FE_UPWARD>(t, "rp");
    return t;
  }();
  const auto it = table.find(key);
  return it == table.end() ? nullptr : it->second;
}

}  // namespace lanescope::emulator
