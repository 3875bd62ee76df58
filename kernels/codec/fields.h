#pragma once
// The fields of a plain struct, in their order, counted and named by the compiler. A struct that travels between two
// processes of one program needs no list of its fields beside its declaration, and no field can be left out of one.
//
//   struct Range { std::uint64_t first = 0, count = 1; };
//   each_field(range, [](auto& field) { field += 3; });
//
// The struct is an aggregate of at most 80 fields without arrays of the C language. One with a base class and fields of its
// own has a static function fields(value), which returns references to both.

#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

namespace lanescope::codec {
namespace fields {

/// Converts to the type of any field. Only the declaration is used.
struct Anything {
  template <class T>
  operator T() const;
};
template <std::size_t>
using AnythingEach = Anything;

template <class T, std::size_t... i>
constexpr bool takes(std::index_sequence<i...>) {
  return requires { T{AnythingEach<i>{}...}; };
}
/// An initializer may be shorter than the struct, so the first that is too long counts.
template <class T, std::size_t n = 0>
constexpr std::size_t count() {
  if constexpr (takes<T>(std::make_index_sequence<n + 1>()))
    return count<T, n + 1>();
  else
    return n;
}

}  // namespace fields

template <class T>
concept GivesFields = requires(T& value) {
  T::fields(value);
};
template <class T>
inline constexpr std::size_t field_count = fields::count<std::remove_const_t<T>>();
template <GivesFields T>
inline constexpr std::size_t field_count<T> = std::tuple_size_v<decltype(T::fields(std::declval<T&>()))>;

// A structured binding spells each name: eights of names, and the rest of 1 to 8.
// clang-format off
#define LS_EIGHTS_0
#define LS_EIGHTS_1 a0, a1, a2, a3, a4, a5, a6, a7,
#define LS_EIGHTS_2 LS_EIGHTS_1 b0, b1, b2, b3, b4, b5, b6, b7,
#define LS_EIGHTS_3 LS_EIGHTS_2 c0, c1, c2, c3, c4, c5, c6, c7,
#define LS_EIGHTS_4 LS_EIGHTS_3 d0, d1, d2, d3, d4, d5, d6, d7,
#define LS_EIGHTS_5 LS_EIGHTS_4 e0, e1, e2, e3, e4, e5, e6, e7,
#define LS_EIGHTS_6 LS_EIGHTS_5 f0, f1, f2, f3, f4, f5, f6, f7,
#define LS_EIGHTS_7 LS_EIGHTS_6 g0, g1, g2, g3, g4, g5, g6, g7,
#define LS_EIGHTS_8 LS_EIGHTS_7 h0, h1, h2, h3, h4, h5, h6, h7,
#define LS_EIGHTS_9 LS_EIGHTS_8 i0, i1, i2, i3, i4, i5, i6, i7,
#define LS_REST_1 z0
#define LS_REST_2 LS_REST_1, z1
#define LS_REST_3 LS_REST_2, z2
#define LS_REST_4 LS_REST_3, z3
#define LS_REST_5 LS_REST_4, z4
#define LS_REST_6 LS_REST_5, z5
#define LS_REST_7 LS_REST_6, z6
#define LS_REST_8 LS_REST_7, z7
#define LS_BIND(eights, rest)                          \
  if constexpr (n == 8 * (eights) + (rest)) {          \
    auto& [LS_EIGHTS_##eights LS_REST_##rest] = value; \
    return act(LS_EIGHTS_##eights LS_REST_##rest);     \
  } else
#define LS_BIND_ROW(eights)                                                           \
  LS_BIND(eights, 1) LS_BIND(eights, 2) LS_BIND(eights, 3) LS_BIND(eights, 4)         \
  LS_BIND(eights, 5) LS_BIND(eights, 6) LS_BIND(eights, 7) LS_BIND(eights, 8)

/// act(first field, second field, ...).
template <class T, class Do>
constexpr decltype(auto) with_fields(T& value, Do&& act) {
  static_assert(std::is_aggregate_v<T>);
  constexpr std::size_t n = field_count<T>;
  static_assert((n > 0 || std::is_empty_v<T>) && n <= 80);
  if constexpr (GivesFields<T>) return std::apply(act, T::fields(value)); else
  LS_BIND_ROW(0) LS_BIND_ROW(1) LS_BIND_ROW(2) LS_BIND_ROW(3) LS_BIND_ROW(4)
  LS_BIND_ROW(5) LS_BIND_ROW(6) LS_BIND_ROW(7) LS_BIND_ROW(8) LS_BIND_ROW(9)
  return act();
}
// clang-format on
#undef LS_BIND_ROW
#undef LS_BIND

/// act(field) for each of them.
constexpr void each_field(auto& value, auto&& act) {
  with_fields(value, [&](auto&... field) { (act(field), ...); });
}

}  // namespace lanescope::codec
