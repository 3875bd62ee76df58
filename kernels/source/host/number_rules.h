#pragma once
// C++ arithmetic on two numbers: the common type, and the result in it. Integers wrap, as on the hardware.

#include <cstdint>
#include <type_traits>

#include "kernels/source/host/program/syntax.h"
#include "kernels/source/host/program/types.h"

namespace lanescope::source::host {

constexpr bool is_comparison(Op op) {
  return op == Op::less || op == Op::greater || op == Op::less_equal || op == Op::greater_equal || op == Op::equal ||
         op == Op::not_equal;
}
constexpr bool is_shift(Op op) { return op == Op::left || op == Op::right; }

template <class T>
constexpr bool compared(Op op, T a, T b) {
  switch (op) {
    case Op::less:
      return a < b;
    case Op::greater:
      return a > b;
    case Op::less_equal:
      return a <= b;
    case Op::greater_equal:
      return a >= b;
    case Op::equal:
      return a == b;
    default:
      return a != b;
  }
}

/// Of numbers of the same type, which is at least as wide as int. False: C++ gives it no value, or there is no such
/// operation.
template <class T>
constexpr bool combined(Op op, T a, T b, T& out) {
  if constexpr (std::is_floating_point_v<T>) {
    switch (op) {
      case Op::add:
        return out = a + b, true;
      case Op::subtract:
        return out = a - b, true;
      case Op::multiply:
        return out = a * b, true;
      case Op::divide:
        return out = a / b, true;
      default:
        return false;
    }
  } else {
    using U = std::make_unsigned_t<T>;
    const U x = static_cast<U>(a), y = static_cast<U>(b);
    switch (op) {
      case Op::add:
        return out = static_cast<T>(x + y), true;
      case Op::subtract:
        return out = static_cast<T>(x - y), true;
      case Op::multiply:
        return out = static_cast<T>(x * y), true;
      case Op::and_:
        return out = static_cast<T>(x & y), true;
      case Op::or_:
        return out = static_cast<T>(x | y), true;
      case Op::xor_:
        return out = static_cast<T>(x ^ y), true;
      case Op::divide:
      case Op::remainder:
        if (y == 0) return false;
        if (std::is_signed_v<T> && y == static_cast<U>(-1))
          out = op == Op::divide ? static_cast<T>(U{0} - x) : T{0};
        else
          out = op == Op::divide ? a / b : a % b;
        return true;
      default:
        return false;
    }
  }
}

/// `a << by`, `a >> by`. False: it shifts too far.
template <class T>
constexpr bool shifted(Op op, T a, std::int64_t by, T& out) {
  if (by < 0 || by >= static_cast<std::int64_t>(8 * sizeof(T))) return false;
  out = op == Op::left ? static_cast<T>(static_cast<std::make_unsigned_t<T>>(a) << by) : static_cast<T>(a >> by);
  return true;
}

/// `f` for the type that computes as `t` does: int, unsigned, long long, unsigned long long, float or double (half,
/// too, whose results are rounded afterwards).
constexpr auto in_type(const Type* t, auto f) {
  if (t->kind == Kind::floating)
    return t->bytes == 4 ? f.template operator()<float>() : f.template operator()<double>();
  if (t->bytes == 8)
    return t->is_signed ? f.template operator()<std::int64_t>() : f.template operator()<std::uint64_t>();
  return t->is_signed ? f.template operator()<std::int32_t>() : f.template operator()<std::uint32_t>();
}

/// The type in which two numbers are combined or compared; of a shift, that of the left one. nullptr: they cannot be.
inline const Type* common_type(const TypeTable& types, Op op, const Type* a, const Type* b) {
  const auto promoted = [&](const Type* t) { return t->bytes < 4 ? types.int_ : t; };
  if (is_shift(op)) return a->is_whole() && b->is_whole() ? promoted(a) : nullptr;
  if (a->kind == Kind::floating || b->kind == Kind::floating) {
    if (!is_comparison(op) && op != Op::add && op != Op::subtract && op != Op::multiply && op != Op::divide)
      return nullptr;
    return a->kind != Kind::floating ? b : b->kind != Kind::floating ? a : a->bytes >= b->bytes ? a : b;
  }
  const Type *left = promoted(a), *right = promoted(b);
  return left->bytes != right->bytes ? (left->bytes > right->bytes ? left : right) : !left->is_signed ? left : right;
}

/// An integer cut to the width of its type; a truth value is 0 or 1.
inline std::int64_t cut(std::int64_t v, const Type* t) {
  if (t->kind == Kind::boolean) return v != 0 ? 1 : 0;
  if (t->bytes >= 8) return v;
  const int drop = 64 - 8 * static_cast<int>(t->bytes);
  const auto raised = static_cast<std::uint64_t>(v) << drop;
  return t->is_signed ? static_cast<std::int64_t>(raised) >> drop : static_cast<std::int64_t>(raised >> drop);
}

// Floats of 8 bits, as the constructors of cuda_fp8.h make them from a float or a double: rounded to nearest, ties to
// even, saturated to the largest finite value (__NV_SATFINITE).
//
//            sign exponent mantissa bias   largest        above it
//   e4m3       1     4        3       7    448 (0x7e)     NaN (0x7f); no infinity
//   e5m2       1     5        2      15    57344 (0x7b)   infinity (0x7c), NaN (0x7d to 0x7f)
//
// Source: the formats are those of the OCP 8-bit floating point specification; cuda_fp8.h of CUDA 13.0 was run on the
// host for comparison.

enum class Fp8 : std::uint8_t { e4m3, e5m2 };

std::uint8_t fp8_bits(Fp8 format, double value);
double fp8_value(Fp8 format, std::uint8_t bits);

// Floats of 8 to 64 bits as they lie in memory; bits_of() rounds to the type.
double real_of(std::uint64_t bits, const Type* t);
std::uint64_t bits_of(double v, const Type* t);

}  // namespace lanescope::source::host
