// Functions that the hardware approximates to a few units in the last place. Here they are the correctly computed value,
// through double, rounded once: bits may differ from a GPU's in the last places, values do not.

#include <cmath>
#include <map>
#include <string>

#include "kernels/emulator/lanes/lane_math.h"
#include "kernels/emulator/lanes/operations.h"

namespace lanescope::emulator {

namespace {

template <bool ftz, class F>
void approximate(u8* r, const Op& op, u32 mask) {
  for (int l = 0; l < lanes; ++l) {
    if ((mask >> l & 1) == 0) continue;
    float x = __builtin_bit_cast(float, row<u32>(r, op.a)[l]);
    if constexpr (ftz) x = flushed(x);
    float y = canonical(static_cast<float>(F{}(double{x})));
    if constexpr (ftz) y = flushed(y);
    row<u32>(r, op.d)[l] = __builtin_bit_cast(u32, y);
  }
}

template <class F>
void approximate_f64(u8* r, const Op& op, u32 mask) {
  for (int l = 0; l < lanes; ++l)
    if ((mask >> l & 1) != 0)
      row<u64>(r, op.d)[l] = __builtin_bit_cast(u64, F{}(__builtin_bit_cast(double, row<u64>(r, op.a)[l])));
}

using Table = std::map<std::string, Exec, std::less<>>;

}  // namespace

Exec find_approximate_operation(std::string_view key) {
  static const Table table = [] {
    Table t;
    const auto put = [&]<class F>(const std::string& name, F) {
      t[name + ".f32"] = approximate<false, F>;
      t[name + ".ftz.f32"] = approximate<true, F>;
    };
    put("rsqrt", [](double x) { return 1 / std::sqrt(x); });
    put("sin", [](double x) { return std::sin(x); });
    put("cos", [](double x) { return std::cos(x); });
    put("lg2", [](double x) { return std::log2(x); });
    put("ex2", [](double x) { return std::exp2(x); });
    put("tanh", [](double x) { return std::tanh(x); });
    const auto put_f64 = [&]<class F>(const std::string& name, F) { t[name] = approximate_f64<F>; };
    put_f64("rsqrt.f64", [](double x) { return 1 / std::sqrt(x); });
    put_f64("rsqrt.ftz.f64", [](double x) { return 1 / std::sqrt(x); });
    put_f64("rcp.ftz.f64", [](double x) { return 1 / x; });
    return t;
  }();
  const auto it = table.find(key);
  return it == table.end() ? nullptr : it->second;
}

}  // namespace lanescope::emulator
