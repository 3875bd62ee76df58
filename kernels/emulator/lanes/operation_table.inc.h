// Loops over the lanes of a warp and the table of all operations that only touch registers. Included once per
// instruction set by lanes_*.cpp, inside a namespace of its own and after the pragma that picks the instruction set, so
// that the same table is compiled three times. Not a header of its own right: no include guard, no includes.

template <class T>
struct Storage {
  using type = u32;
};
template <>
struct Storage<u64> {
  using type = u64;
};
template <>
struct Storage<s64> {
  using type = u64;
};
template <>
struct Storage<double> {
  using type = u64;
};
template <class T>
using Stored = typename Storage<T>::type;

template <class T>
inline T from_row(Stored<T> bits) {
  if constexpr (std::is_floating_point_v<T>)
    return __builtin_bit_cast(T, bits);
  else
    return static_cast<T>(bits);
}
/// 16-bit values are kept zero-extended, signed ones too.
template <class T>
inline Stored<T> to_row(T value) {
  if constexpr (std::is_floating_point_v<T>)
    return __builtin_bit_cast(Stored<T>, value);
  else
    return static_cast<Stored<T>>(static_cast<std::make_unsigned_t<T>>(value));
}

/// d[lane] = value(lane) for the lanes of the mask. Registers are equal or disjoint, never shifted against each other.
template <class D, class F>
inline __attribute__((always_inline)) void each_lane(u8* registers, u32 offset, u32 mask, F value) {
  Stored<D>* d = row<Stored<D>>(registers, offset);
  if (mask == all_lanes) {
#pragma GCC ivdep
    for (int l = 0; l < lanes; ++l) d[l] = to_row<D>(value(l));
    return;
  }
  alignas(64) Stored<D> result[lanes];
#pragma GCC ivdep
  for (int l = 0; l < lanes; ++l) result[l] = to_row<D>(value(l));
#pragma GCC ivdep
  for (int l = 0; l < lanes; ++l) d[l] = (mask >> l & 1) != 0 ? result[l] : d[l];
}

template <class D, class A, class F>
void unary(u8* r, const Op& op, u32 mask) {
  const Stored<A>* a = row<Stored<A>>(r, op.a);
  each_lane<D>(r, op.d, mask, [&](int l) { return F{}(from_row<A>(a[l])); });
}
template <class D, class A, class B, class F>
void binary(u8* r, const Op& op, u32 mask) {
  const Stored<A>* a = row<Stored<A>>(r, op.a);
  const Stored<B>* b = row<Stored<B>>(r, op.b);
  each_lane<D>(r, op.d, mask, [&](int l) { return F{}(from_row<A>(a[l]), from_row<B>(b[l])); });
}
template <class D, class A, class B, class C, class F>
void ternary(u8* r, const Op& op, u32 mask) {
  const Stored<A>* a = row<Stored<A>>(r, op.a);
  const Stored<B>* b = row<Stored<B>>(r, op.b);
  const Stored<C>* c = row<Stored<C>>(r, op.c);
  each_lane<D>(r, op.d, mask, [&](int l) { return F{}(from_row<A>(a[l]), from_row<B>(b[l]), from_row<C>(c[l])); });
}
/// Like ternary, and the operation's own constant (a truth table, a mode) as a fourth operand.
template <class D, class A, class B, class C, class F>
void moded(u8* r, const Op& op, u32 mask) {
  const Stored<A>* a = row<Stored<A>>(r, op.a);
  const Stored<B>* b = row<Stored<B>>(r, op.b);
  const Stored<C>* c = row<Stored<C>>(r, op.c);
  const u32 mode = op.immediate;
  each_lane<D>(r, op.d, mask,
               [&](int l) { return F{}(from_row<A>(a[l]), from_row<B>(b[l]), from_row<C>(c[l]), mode); });
}
template <class A, class F>
u32 compare(const u8* r, u32 a_offset, u32 b_offset) {
  const Stored<A>* a = row<Stored<A>>(r, a_offset);
  const Stored<A>* b = row<Stored<A>>(r, b_offset);
  u32 result = 0;
  for (int l = 0; l < lanes; ++l) result |= F{}(from_row<A>(a[l]), from_row<A>(b[l])) ? 1u << l : 0u;
  return result;
}
template <class T>
void select(u8* r, const Op& op, u32 mask) {
  const T* a = row<T>(r, op.a);
  const T* b = row<T>(r, op.b);
  const u32 p = *row<u32>(r, op.c) ^ op.flip;
  each_lane<T>(r, op.d, mask, [&](int l) { return (p >> l & 1) != 0 ? a[l] : b[l]; });
}

template <class T>
void insert(u8* r, const Op& op, u32 mask) {  // bfi has four sources; the length is in the place of a second result
  const T* a = row<T>(r, op.a);
  const T* b = row<T>(r, op.b);
  const u32* position = row<u32>(r, op.c);
  const u32* length = row<u32>(r, op.d2);
  each_lane<T>(r, op.d, mask, [&](int l) { return insert_field(a[l], b[l], position[l], length[l]); });
}

// Macros for the rows of the table. The expression is computed in each lane, of its operands a, b and c; m is the
// operation's own constant.
#define UNARY(key, D, A, ...)                                                         \
  {                                                                                   \
    key, &unary<D, A, decltype([](A a) -> D { return static_cast<D>(__VA_ARGS__); })> \
  }
#define BINARY(key, D, A, B, ...)                                                              \
  {                                                                                            \
    key, &binary<D, A, B, decltype([](A a, B b) -> D { return static_cast<D>(__VA_ARGS__); })> \
  }
#define TERNARY(key, D, A, B, C, ...)                                                                   \
  {                                                                                                     \
    key, &ternary<D, A, B, C, decltype([](A a, B b, C c) -> D { return static_cast<D>(__VA_ARGS__); })> \
  }
#define MODED(key, D, A, B, C, ...)                                                                          \
  {                                                                                                          \
    key, &moded<D, A, B, C, decltype([](A a, B b, C c, u32 m) -> D { return static_cast<D>(__VA_ARGS__); })> \
  }
#define COMPARE(key, A, ...)                                                 \
  {                                                                          \
    key, &compare<A, decltype([](A a, A b) -> bool { return __VA_ARGS__; })> \
  }

// Functions of two halves.
constexpr auto plus = [](float x, float y) { return x + y; };
constexpr auto minus = [](float x, float y) { return x - y; };
constexpr auto times = [](float x, float y) { return x * y; };
constexpr auto saturated_plus = [](float x, float y) { return saturated(x + y); };
constexpr auto saturated_minus = [](float x, float y) { return saturated(x - y); };
constexpr auto saturated_times = [](float x, float y) { return saturated(x * y); };
constexpr auto flushed_half_product = [](float x, float y) { return zero_if_subnormal_half(x * y); };
constexpr auto saturated_half_product = [](float x, float y) { return saturated(zero_if_subnormal_half(x * y)); };
constexpr auto min = [](float x, float y) { return float_min(x, y); };
constexpr auto max = [](float x, float y) { return float_max(x, y); };
constexpr auto min_nan = [](float x, float y) { return float_min_nan(x, y); };
constexpr auto max_nan = [](float x, float y) { return float_max_nan(x, y); };
constexpr auto ex2 = [](float x, float) { return as_float(mufu_ex2(bits_of(x))); };
constexpr auto tanh = [](float x, float) { return as_float(mufu_tanh(bits_of(x))); };
constexpr auto lesser = [](auto x, auto y) { return x < y ? x : y; };
constexpr auto greater = [](auto x, auto y) { return x < y ? y : x; };
constexpr auto lesser_relu = [](s16 x, s16 y) { return greater(lesser(x, y), s16{0}); };
constexpr auto greater_relu = [](s16 x, s16 y) { return greater(greater(x, y), s16{0}); };

// The tables: one operation a row, in columns by hand.
// clang-format off

// One type's worth of integer operations; U is the unsigned type of the same width, so that overflow wraps.
#define INTEGER(t, T, U)                                                                         \
  BINARY ("add." t,    T,   T,   T,        U(U(a) + U(b))),                                      \
  BINARY ("sub." t,    T,   T,   T,        U(U(a) - U(b))),                                      \
  BINARY ("mul.lo." t, T,   T,   T,        low_product(U(a), U(b))),                             \
  TERNARY("mad.lo." t, T,   T,   T,   T,   U(low_product(U(a), U(b)) + U(c))),                   \
  BINARY ("mul.hi." t, T,   T,   T,        high_product(a, b)),                                  \
  TERNARY("mad.hi." t, T,   T,   T,   T,   U(U(high_product(a, b)) + U(c))),                     \
  BINARY ("div." t,    T,   T,   T,        quotient(a, b)),                                      \
  BINARY ("rem." t,    T,   T,   T,        remainder_of(a, b)),                                  \
  BINARY ("min." t,    T,   T,   T,        a < b ? a : b),                                       \
  BINARY ("max." t,    T,   T,   T,        a > b ? a : b),                                       \
  UNARY  ("neg." t,    T,   T,             U(U(0) - U(a))),                                      \
  UNARY  ("abs." t,    T,   T,             absolute(a)),                                         \
  TERNARY("sad." t,    T,   T,   T,   T,   U(U(c) + (a < b ? U(U(b) - U(a)) : U(U(a) - U(b))))), \
  BINARY ("shr." t,    T,   T,   u32,      shift_right(a, b))

#define BITS(t, T)                                                              \
  BINARY("and." t,  T,   T,   T,   a & b),                                      \
  BINARY("or." t,   T,   T,   T,   a | b),                                      \
  BINARY("xor." t,  T,   T,   T,   a ^ b),                                      \
  UNARY ("not." t,  T,   T,        ~a),                                         \
  UNARY ("cnot." t, T,   T,        a == 0 ? 1 : 0),                             \
  UNARY ("mov." t,  T,   T,        a),                                          \
  BINARY("shl." t,  T,   T,   u32, b >= 8 * sizeof(T) ? T(0) : T(u64(a) << b)), \
  BINARY("shr." t,  T,   T,   u32, shift_right(a, b))

#define FLOAT(t, T)                                              \
  BINARY ("add." t,      T, T, T,    propagated(a + b, a, b)),   \
  BINARY ("sub." t,      T, T, T,    propagated(a - b, a, b)),   \
  BINARY ("mul." t,      T, T, T,    propagated(a * b, a, b)),   \
  TERNARY("fma." t,      T, T, T, T, propagated(fused(a, b, c), a, b, c)), \
  BINARY ("div." t,      T, T, T,    propagated(a / b, b, a)),   \
  UNARY  ("neg." t,      T, T,       negation(a)),               \
  UNARY  ("abs." t,      T, T,       absolute_value(a)),         \
  UNARY  ("sqrt." t,     T, T,       propagated(square_root(a), a)), \
  UNARY  ("rcp." t,      T, T,       propagated(T(1) / a, a)),   \
  BINARY ("min." t,      T, T, T,    float_min(a, b)),           \
  BINARY ("max." t,      T, T, T,    float_max(a, b)),           \
  BINARY ("min.NaN." t,  T, T, T,    float_min_nan(a, b)),       \
  BINARY ("max.NaN." t,  T, T, T,    float_max_nan(a, b)),       \
  BINARY ("copysign." t, T, T, T,    copy_sign(a, b))

// `.ftz` and `.sat` as written in the key; sat clamps to [0, 1], NaN becomes +0.
#define FLOAT_MODES(suffix, in, out, product, fused)                                            \
  BINARY ("add" suffix, float, float, float,        out(canonical(in(a) + in(b)))),             \
  BINARY ("sub" suffix, float, float, float,        out(canonical(in(a) - in(b)))),             \
  BINARY ("mul" suffix, float, float, float,        out(canonical(product(in(a), in(b))))),     \
  TERNARY("fma" suffix, float, float, float, float, out(canonical(fused(in(a), in(b), in(c)))))

// f16, f16x2 and the same of bf16: a float function of the value, or of both halves.
#define HALVES(t, T, C)                                                    \
  BINARY ("add." t,      T, T, T,    halves<C, T>(a, b, plus)),            \
  BINARY ("sub." t,      T, T, T,    halves<C, T>(a, b, minus)),           \
  BINARY ("mul." t,      T, T, T,    halves<C, T>(a, b, times)),           \
  BINARY ("add.sat." t,  T, T, T,    halves<C, T>(a, b, saturated_plus)),  \
  BINARY ("sub.sat." t,  T, T, T,    halves<C, T>(a, b, saturated_minus)), \
  BINARY ("mul.sat." t,  T, T, T,    halves<C, T>(a, b, saturated_times)), \
  BINARY ("min." t,      T, T, T,    halves<C, T>(a, b, min)),             \
  BINARY ("max." t,      T, T, T,    halves<C, T>(a, b, max)),             \
  BINARY ("min.NaN." t,  T, T, T,    halves<C, T>(a, b, min_nan)),         \
  BINARY ("max.NaN." t,  T, T, T,    halves<C, T>(a, b, max_nan)),         \
  TERNARY("fma." t,      T, T, T, T, halves_fused<C, T>(a, b, c)),         \
  TERNARY("fma.sat." t,  T, T, T, T, halves_fused_sat<C, T>(a, b, c)),     \
  TERNARY("fma.relu." t, T, T, T, T, halves_fused_relu<C, T>(a, b, c)),    \
  UNARY  ("neg." t,      T, T,       halves_without_nan(a, T(a ^ T(0x80008000u)), C::infinity)), \
  UNARY  ("abs." t,      T, T,       halves_without_nan(a, T(a & T(0x7fff7fffu)), C::infinity))

// The same with subnormal f16 inputs and outputs flushed.
#define FLUSHED_HALVES(t, T)                                                         \
  BINARY ("add.ftz." t, T, T, T,    flushed_halves(halves_of_flushed(a, b, plus))),  \
  BINARY ("sub.ftz." t, T, T, T,    flushed_halves(halves_of_flushed(a, b, minus))), \
  BINARY ("mul.ftz." t, T, T, T,    flushed_halves(halves_of_flushed(a, b, flushed_half_product))), \
  BINARY ("min.ftz." t, T, T, T,    halves_of_flushed(a, b, min)),                   \
  BINARY ("max.ftz." t, T, T, T,    halves_of_flushed(a, b, max)),                   \
  BINARY ("add.ftz.sat." t, T, T, T,    flushed_halves(halves_of_flushed(a, b, saturated_plus))),  \
  BINARY ("sub.ftz.sat." t, T, T, T,    flushed_halves(halves_of_flushed(a, b, saturated_minus))), \
  BINARY ("mul.ftz.sat." t, T, T, T,    flushed_halves(halves_of_flushed(a, b, saturated_half_product))), \
  BINARY ("min.ftz.NaN." t, T, T, T,    halves_of_flushed(a, b, min_nan)),                         \
  BINARY ("max.ftz.NaN." t, T, T, T,    halves_of_flushed(a, b, max_nan)),                         \
  TERNARY("fma.ftz.sat." t, T, T, T, T,                                                            \
          flushed_halves(fused_of_flushed(a, b, c, [](float x) { return saturated(x); }))),            \
  TERNARY("fma.ftz.relu." t, T, T, T, T,                                                           \
          flushed_halves(fused_of_flushed(a, b, c, [](float x) { return x != x ? x : x > 0 ? x : 0.0f; }))), \
  TERNARY("fma.ftz." t, T, T, T, T, flushed_halves(fused_of_flushed(a, b, c, [](float x) { return x; }))),      \
  UNARY  ("neg.ftz." t, T, T,       halves_without_nan(a, T(flushed_halves(a) ^ T(0x80008000u)), Half::infinity)), \
  UNARY  ("abs.ftz." t, T, T,       halves_without_nan(a, T(flushed_halves(a) & T(0x7fff7fffu)), Half::infinity))

#define ORDERED(t, T)          \
  COMPARE("eq." t, T, a == b), \
  COMPARE("ne." t, T, a != b), \
  COMPARE("lt." t, T, a < b),  \
  COMPARE("le." t, T, a <= b), \
  COMPARE("gt." t, T, a > b),  \
  COMPARE("ge." t, T, a >= b)

#define FLOAT_COMPARES(t, T, in)                           \
  COMPARE("eq." t,  T, in(a) == in(b)),                    \
  COMPARE("ne." t,  T, in(a) < in(b) || in(a) > in(b)),    \
  COMPARE("lt." t,  T, in(a) < in(b)),                     \
  COMPARE("le." t,  T, in(a) <= in(b)),                    \
  COMPARE("gt." t,  T, in(a) > in(b)),                     \
  COMPARE("ge." t,  T, in(a) >= in(b)),                    \
  COMPARE("equ." t, T, !(in(a) < in(b) || in(a) > in(b))), \
  COMPARE("neu." t, T, in(a) != in(b)),                    \
  COMPARE("ltu." t, T, !(in(a) >= in(b))),                 \
  COMPARE("leu." t, T, !(in(a) > in(b))),                  \
  COMPARE("gtu." t, T, !(in(a) <= in(b))),                 \
  COMPARE("geu." t, T, !(in(a) < in(b))),                  \
  COMPARE("num." t, T, in(a) == in(a) && in(b) == in(b)),  \
  COMPARE("nan." t, T, in(a) != in(a) || in(b) != in(b))

const LaneOperation operations[] = {
    // Integers and bits, by type
    INTEGER("u16", u16, u16),
    INTEGER("s16", s16, u16),
    INTEGER("u32", u32, u32),
    INTEGER("s32", s32, u32),
    INTEGER("u64", u64, u64),
    INTEGER("s64", s64, u64),
    BITS("b16", u16),
    BITS("b32", u32),
    BITS("b64", u64),

    // Integers of two widths, saturated, of 24 bits
    BINARY ("mul.wide.u16",   u32, u16, u16,      u32(a) * u32(b)),
    BINARY ("mul.wide.s16",   s32, s16, s16,      s32(a) * s32(b)),
    BINARY ("mul.wide.u32",   u64, u32, u32,      u64(a) * u64(b)),
    BINARY ("mul.wide.s32",   s64, s32, s32,      s64(a) * s64(b)),
    TERNARY("mad.wide.u16",   u32, u16, u16, u32, u32(a) * u32(b) + c),
    TERNARY("mad.wide.s16",   s32, s16, s16, s32, u32(s32(a) * s32(b)) + u32(c)),
    TERNARY("mad.wide.u32",   u64, u32, u32, u64, u64(a) * u64(b) + c),
    TERNARY("mad.wide.s32",   s64, s32, s32, s64, u64(s64(a) * s64(b)) + u64(c)),
    BINARY ("add.sat.s32",    s32, s32, s32,      clamp_s32(s64(a) + s64(b))),
    BINARY ("sub.sat.s32",    s32, s32, s32,      clamp_s32(s64(a) - s64(b))),
    BINARY ("min.relu.s32",   s32, s32, s32,      greater(lesser(a, b), 0)),
    BINARY ("max.relu.s32",   s32, s32, s32,      greater(greater(a, b), 0)),
    TERNARY("mad24.hi.sat.s32", u32, u32, u32, u32, clamp_s32(s64(s32(signed_product24(a, b) >> 16)) + s64(s32(c)))),
    TERNARY("mad.hi.sat.s32", s32, s32, s32, s32, clamp_s32(s64(high_product(a, b)) + s64(c))),
    BINARY ("mul24.lo.u32",   u32, u32, u32,      u32(product24(a, b))),
    BINARY ("mul24.lo.s32",   u32, u32, u32,      u32(signed_product24(a, b))),
    BINARY ("mul24.hi.u32",   u32, u32, u32,      u32(product24(a, b) >> 16)),
    BINARY ("mul24.hi.s32",   u32, u32, u32,      u32(signed_product24(a, b) >> 16)),
    TERNARY("mad24.lo.u32",   u32, u32, u32, u32, u32(product24(a, b)) + c),
    TERNARY("mad24.lo.s32",   u32, u32, u32, u32, u32(signed_product24(a, b)) + c),
    TERNARY("mad24.hi.u32",   u32, u32, u32, u32, u32(product24(a, b) >> 16) + c),
    TERNARY("mad24.hi.s32",   u32, u32, u32, u32, u32(signed_product24(a, b) >> 16) + c),

    // Bits
    TERNARY("shf.l.wrap.b32",     u32, u32, u32, u32, u32((joined(b, a) << (c & 31)) >> 32)),
    TERNARY("shf.r.wrap.b32",     u32, u32, u32, u32, u32(joined(b, a) >> (c & 31))),
    TERNARY("shf.l.clamp.b32",    u32, u32, u32, u32, u32((joined(b, a) << (c < 32 ? c : 32)) >> 32)),
    TERNARY("shf.r.clamp.b32",    u32, u32, u32, u32, u32(joined(b, a) >> (c < 32 ? c : 32))),
    MODED  ("lop3.b32",           u32, u32, u32, u32, truth_table(a, b, c, m)),
    MODED  ("prmt.b32",           u32, u32, u32, u32, permute_bytes(a, b, c, m)),
    TERNARY("bfe.u32",            u32, u32, u32, u32, extract_field<u32>(a, b, c, false)),
    TERNARY("bfe.s32",            u32, u32, u32, u32, extract_field<u32>(a, b, c, true)),
    TERNARY("bfe.u64",            u64, u64, u32, u32, extract_field<u64>(a, b, c, false)),
    TERNARY("bfe.s64",            u64, u64, u32, u32, extract_field<u64>(a, b, c, true)),
    UNARY  ("bfind.u32",          u32, u32,           find_bit(a)),
    UNARY  ("bfind.s32",          u32, u32,           find_bit(s32(a) < 0 ? ~a : a)),
    UNARY  ("bfind.u64",          u32, u64,           find_bit(a)),
    UNARY  ("bfind.s64",          u32, u64,           find_bit(s64(a) < 0 ? ~a : a)),
    UNARY  ("bfind.shiftamt.u32", u32, u32,           shift_amount(find_bit(a), 31)),
    UNARY  ("bfind.shiftamt.s32", u32, u32,           shift_amount(find_bit(s32(a) < 0 ? ~a : a), 31)),
    UNARY  ("bfind.shiftamt.u64", u32, u64,           shift_amount(find_bit(a), 63)),
    UNARY  ("bfind.shiftamt.s64", u32, u64,           shift_amount(find_bit(s64(a) < 0 ? ~a : a), 63)),
    UNARY  ("brev.b32",           u32, u32,           reversed(a)),
    UNARY  ("brev.b64",           u64, u64,           reversed64(a)),
    UNARY  ("clz.b32",            u32, u32,           31 - s32(find_bit(a))),
    UNARY  ("clz.b64",            u32, u64,           63 - s32(find_bit(a))),
    UNARY  ("popc.b32",           u32, u32,           ones(a)),
    UNARY  ("popc.b64",           u32, u64,           ones(u32(a)) + ones(u32(a >> 32))),
    TERNARY("fns.b32",            u32, u32, u32, s32, find_nth_set(a, b, c)),
    BINARY ("szext.wrap.u32",     u32, u32, u32,      sized(a, b & 31, false)),
    BINARY ("szext.wrap.s32",     u32, u32, u32,      sized(a, b & 31, true)),
    BINARY ("szext.clamp.u32",    u32, u32, u32,      sized(a, b, false)),
    BINARY ("szext.clamp.s32",    u32, u32, u32,      sized(a, b, true)),
    BINARY ("bmsk.wrap.b32",      u32, u32, u32,      bit_mask(a & 31, b & 31)),
    BINARY ("bmsk.clamp.b32",     u32, u32, u32,      bit_mask(a, b)),

    // Dot products of bytes
    TERNARY("dp4a.u32.u32", u32, u32, u32, u32, dot4<u8, u8>(a, b, c)),
    TERNARY("dp4a.u32.s32", u32, u32, u32, u32, dot4<u8, s8>(a, b, c)),
    TERNARY("dp4a.s32.u32", u32, u32, u32, u32, dot4<s8, u8>(a, b, c)),
    TERNARY("dp4a.s32.s32", u32, u32, u32, u32, dot4<s8, s8>(a, b, c)),
    MODED  ("dp2a.u32.u32", u32, u32, u32, u32, dot2<u16, u8>(a, b, c, m)),
    MODED  ("dp2a.u32.s32", u32, u32, u32, u32, dot2<u16, s8>(a, b, c, m)),
    MODED  ("dp2a.s32.u32", u32, u32, u32, u32, dot2<s16, u8>(a, b, c, m)),
    MODED  ("dp2a.s32.s32", u32, u32, u32, u32, dot2<s16, s8>(a, b, c, m)),

    // Floating point
    FLOAT("f32", float),
    FLOAT("f64", double),
    FLOAT_MODES(".ftz.f32", flushed, flushed, flushed_product, flushed_fused),
    FLOAT_MODES(".sat.f32", , saturated, product, fused),
    FLOAT_MODES(".ftz.sat.f32", flushed, saturated_and_flushed, flushed_product, flushed_fused),

    BINARY("div.ftz.f32",     float, float, float, flushed(canonical(flushed(a) / flushed(b)))),
    UNARY ("sqrt.ftz.f32",    float, float,        flushed(canonical(square_root(flushed(a))))),
    UNARY ("rcp.ftz.f32",     float, float,        flushed(canonical(1.0f / flushed(a)))),
    UNARY ("neg.ftz.f32",     float, float,        negation(flushed(a))),
    UNARY ("abs.ftz.f32",     float, float,        absolute_value(flushed(a))),
    BINARY("min.ftz.f32",     float, float, float, float_min(flushed(a), flushed(b))),
    BINARY("max.ftz.f32",     float, float, float, float_max(flushed(a), flushed(b))),
    BINARY("min.ftz.NaN.f32", float, float, float, float_min_nan(flushed(a), flushed(b))),
    BINARY("max.ftz.NaN.f32", float, float, float, float_max_nan(flushed(a), flushed(b))),

    // The multifunction unit
    UNARY ("rcp.approx.f32",      float, float,        approximate_rcp(a)),
    UNARY ("rcp.approx.ftz.f32",  u32, u32,            mufu_rcp(a)),
    UNARY ("sqrt.approx.f32",     float, float,        approximate_sqrt(a)),
    UNARY ("sqrt.approx.ftz.f32", u32, u32,            mufu_sqrt(a)),
    UNARY ("rsqrt.f32",           float, float,        approximate_rsqrt(a)),
    UNARY ("rsqrt.ftz.f32",       u32, u32,            mufu_rsq(a)),
    UNARY ("lg2.f32",             float, float,        approximate_lg2(a)),
    UNARY ("lg2.ftz.f32",         u32, u32,            mufu_lg2(a)),
    UNARY ("ex2.f32",             float, float,        approximate_ex2(a)),
    UNARY ("ex2.ftz.f32",         u32, u32,            mufu_ex2(a)),
    UNARY ("sin.f32",             u32, float,          approximate_sin(a, 0)),
    UNARY ("sin.ftz.f32",         u32, float,          approximate_sin(a, 0)),
    UNARY ("cos.f32",             u32, float,          approximate_sin(a, 1)),
    UNARY ("cos.ftz.f32",         u32, float,          approximate_sin(a, 1)),
    UNARY ("tanh.f32",            u32, u32,            mufu_tanh(a)),
    BINARY("div.approx.f32",      float, float, float, approximate_div(a, b)),
    BINARY("div.approx.ftz.f32",  float, float, float, approximate_div_ftz(a, b)),
    BINARY("div.full.f32",        float, float, float, full_div(a, b)),
    BINARY("div.full.ftz.f32",    float, float, float, full_div_ftz(a, b)),
    UNARY ("rcp.approx.ftz.f64",  u64, u64,            u64{mufu_rcp64h(u32(a >> 32))} << 32),
    UNARY ("rsqrt.f64",           double, double,      approximate_rsqrt(a)),
    UNARY ("rsqrt.ftz.f64",       u64, u64,            u64{mufu_rsq64h(u32(a >> 32))} << 32),
    UNARY ("ex2.f16",             u16, u16,            halves<CutHalf, u16>(a, a, ex2)),
    UNARY ("ex2.f16x2",           u32, u32,            halves<CutHalf, u32>(a, a, ex2)),
    UNARY ("ex2.ftz.bf16",        u16, u16,            halves<CutBfloat, u16>(a, a, ex2)),
    UNARY ("ex2.ftz.bf16x2",      u32, u32,            halves<CutBfloat, u32>(a, a, ex2)),
    UNARY ("tanh.f16",            u16, u16,            halves<CutHalf, u16>(a, a, tanh)),
    UNARY ("tanh.f16x2",          u32, u32,            halves<CutHalf, u32>(a, a, tanh)),
    UNARY ("tanh.bf16",           u16, u16,            halves<CutBfloat, u16>(a, a, tanh)),
    UNARY ("tanh.bf16x2",         u32, u32,            halves<CutBfloat, u32>(a, a, tanh)),

    // Halves
    HALVES("f16", u16, Half),
    HALVES("f16x2", u32, Half),
    HALVES("bf16", u16, Bfloat),
    HALVES("bf16x2", u32, Bfloat),
    FLUSHED_HALVES("f16", u16),
    FLUSHED_HALVES("f16x2", u32),

    BINARY("add.u16x2",      u32, u32, u32, add_halves(a, b)),
    BINARY("add.s16x2",      u32, u32, u32, add_halves(a, b)),
    BINARY("min.u16x2",      u32, u32, u32, both_halves<u16>(a, b, lesser)),
    BINARY("max.u16x2",      u32, u32, u32, both_halves<u16>(a, b, greater)),
    BINARY("min.s16x2",      u32, u32, u32, both_halves<s16>(a, b, lesser)),
    BINARY("max.s16x2",      u32, u32, u32, both_halves<s16>(a, b, greater)),
    BINARY("min.relu.s16x2", u32, u32, u32, both_halves<s16>(a, b, lesser_relu)),
    BINARY("max.relu.s16x2", u32, u32, u32, both_halves<s16>(a, b, greater_relu)),

    // Fields and choices
    {"bfi.b32",   &insert<u32>},
    {"bfi.b64",   &insert<u64>},
    {"select.32", &select<u32>},
    {"select.64", &select<u64>},
    TERNARY("slct.32.s32", u32, u32, u32, s32,   c >= 0 ? a : b),
    TERNARY("slct.64.s32", u64, u64, u64, s32,   c >= 0 ? a : b),
    TERNARY("slct.32.f32", u32, u32, u32, float, c >= 0 ? a : b),
    TERNARY("slct.64.f32", u64, u64, u64, float, c >= 0 ? a : b),
    TERNARY("slct.ftz.32.f32", u32, u32, u32, float, flushed(c) >= 0 ? a : b),
    TERNARY("slct.ftz.64.f32", u64, u64, u64, float, flushed(c) >= 0 ? a : b),

    // Parts of registers, and wider ones
    UNARY ("low.b64",   u32, u64,      a),
    UNARY ("high.b64",  u32, u64,      a >> 32),
    BINARY("pair.b32",  u64, u32, u32, joined(b, a)),
    BINARY("pair.b16",  u32, u32, u32, b << 16 | (a & 0xffff)),
    UNARY ("low.b32",   u32, u32,      a & 0xffff),
    UNARY ("high.b32",  u32, u32,      a >> 16),
    UNARY ("widen.u32", u64, u32,      a),
    UNARY ("widen.s32", u64, s32,      s64(a)),
    UNARY ("widen.u16", u32, u16,      a),
    UNARY ("widen.s16", u32, s16,      s32(a)),
    UNARY ("widen.u8",  u32, u8,       a),
    UNARY ("widen.s8",  u32, s8,       s32(a)),
};

const LaneComparison comparisons[] = {
    ORDERED("u16", u16),
    ORDERED("s16", s16),
    ORDERED("u32", u32),
    ORDERED("s32", s32),
    ORDERED("u64", u64),
    ORDERED("s64", s64),
    FLOAT_COMPARES("f32", float, ),
    FLOAT_COMPARES("f64", double, ),
    FLOAT_COMPARES("ftz.f32", float, flushed),
    FLOAT_COMPARES("f16", u16, half_to_float),
    FLOAT_COMPARES("ftz.f16", u16, flushed_half_to_float),
    FLOAT_COMPARES("bf16", u16, bfloat_to_float),
};
// clang-format on
