#pragma once
// How far an approximation may be from the value: relative to it, or absolutely where the PTX ISA says so.

#include <cmath>
#include <string>

#include <fmt/format.h>

#include "tests/kernels/emulator/oracle/oracle.h"

namespace lanescope::emulator::test {

/// Describes the error of a result; empty if there is none, or if the PTX ISA gives no bound.
inline std::string judge_approximation(const Words& w, const Inputs& in, std::uint64_t got) {
  using u64 = std::uint64_t;
  const std::string& type = w.parts.back();
  const Format f = format_of(type);
  const int count = type.ends_with("x2") ? 2 : 1, bits = f.bits();
  for (int i = 0; i < count; ++i) {
    const u64 keep = bits == 64 ? ~u64{0} : (u64{1} << bits) - 1;
    const Number x = number_of(in.of(w.operands[1]) >> (i * bits) & keep, f);
    const Number y = w.name == "div" ? number_of(in.of(w.operands[2]), f) : Number{};
    const Number r = number_of(got >> (i * bits) & keep, f);
    if (x.nan || y.nan) {
      if (!r.nan) return "a number of NaN";
      continue;
    }
    if (x.infinite || y.infinite || r.nan || r.infinite) continue;
    const auto v = static_cast<long double>(x.value()), d = static_cast<long double>(y.value());
    const long double least = std::ldexp(1.0L, 2 - (1 << (f.exponent - 1)));
    if (std::fabs(v) < std::max(least, 0x1p-100L) ||
        (w.name == "div" && (std::fabs(d) < 0x1p-126L || std::fabs(d) > 0x1p126L)))
      continue;
    if ((w.name == "sin" || w.name == "cos") && std::fabs(v) > 3.15L) continue;
    const long double want = w.name == "div"     ? v / d
                             : w.name == "sqrt"  ? std::sqrt(v)
                             : w.name == "rcp"   ? 1 / v
                             : w.name == "rsqrt" ? 1 / std::sqrt(v)
                             : w.name == "sin"   ? std::sin(v)
                             : w.name == "cos"   ? std::cos(v)
                             : w.name == "lg2"   ? std::log2(v)
                             : w.name == "ex2"   ? std::exp2(v)
                                                 : std::tanh(v);
    if (std::fabs(want) < least) continue;
    const long double error = std::fabs(static_cast<long double>(r.value()) - want);
    const long double bound = w.name == "sin" || w.name == "cos" ? 0x1p-20L
                              : w.name == "lg2"                  ? std::max(0x1p-22L, std::fabs(want) * 0x1p-22L)
                              : bits == 16       ? std::fabs(want) * std::ldexp(1.0L, -f.mantissa) * 1.01L
                              : w.name == "tanh" ? std::fabs(want) * 0x1p-11L
                              : (w.name == "rcp" || w.name == "rsqrt") && bits == 64 ? std::fabs(want) * 0x1p-20L
                                                                                     : std::fabs(want) * 0x1p-22L;
    if (error <= bound) continue;
    return fmt::format("of {}, {}: {}, not {}", static_cast<double>(v), static_cast<double>(d),
                       static_cast<double>(static_cast<long double>(r.value())), static_cast<double>(want));
  }
  return {};
}

}  // namespace lanescope::emulator::test
