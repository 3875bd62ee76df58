#pragma once
// Engines and distributions of <random>: an object of the host program is one of this program's own, so its numbers are those
// of libstdc++.

#include <concepts>
#include <span>
#include <type_traits>

#include "kernels/source/host/memory.h"
#include "kernels/source/host/program/random_classes.h"

namespace lanescope::source::host {

/// The object at an address, if it is aligned and all of its bytes are known; else nullptr, and why.
template <class T>
T* random_object(Memory& m, Address a, Reason& unknown) {
  static_assert(std::is_trivially_copyable_v<T>);
  Object* o = m.object(a);
  const auto offset = static_cast<std::uint64_t>(m.offset(a));
  if (o == nullptr || offset % alignof(T) != 0 || offset > o->bytes || sizeof(T) > o->bytes - offset || !m.follows(a)) {
    unknown = m.reason("it has no place");
    return nullptr;
  }
  unknown = o->reason_in(offset, sizeof(T));
  return unknown == 0 ? reinterpret_cast<T*>(o->data.own() + offset) : nullptr;
}

/// An engine, for one number of a distribution. Bytes that no constructor has made (memset) may repeat one number for ever,
/// which distributions pass over.
template <class E>
struct LimitedEngine {
  struct Endless {};
  using result_type = typename E::result_type;
  static constexpr result_type min() { return E::min(); }
  static constexpr result_type max() { return E::max(); }
  result_type operator()() {
    if (left-- == 0) throw Endless{};
    return engine();
  }
  E& engine;
  int left = 1000;
};

/// Numbers of libstdc++; each run of the program has others if a seed is unknown.
inline std::string_view note_of_random(const Type* t, std::span<const Value> given) {
  const bool seeded = given.empty() || (given[0].known() && given[0].type->is_whole());
  return t->count >= first_distribution || seeded ? "std::mt19937 and its kin give the numbers of libstdc++"
                                                  : "the seed of an engine is unknown; here it is the default one";
}

/// Constructs an engine with its seed, or a distribution with its parameters. An unknown seed is the engine's default one.
inline void start_random(TypedMemory& m, Address at, const Type* t, std::span<const Value> given) {
  const auto put = [&](const auto& object) { m.write(at, sizeof object, &object, 0); };
  const bool engine = with_type<Engines>(t->count, first_engine, [&]<class E>(E*) {
    const bool seeded = !given.empty() && given[0].known() && given[0].type->is_whole();
    E made = seeded ? E(static_cast<typename E::result_type>(given[0].i)) : E();
    put(made);
  });
  if (engine) return;
  for (const Value& v : given)
    if (!v.known() || !v.type->is_number())
      return void(m.write(at, t->bytes, nullptr, v.unknown != 0 ? v.unknown : m.reason("it is no number")));
  with_type<Distributions>(t->count, first_distribution, [&]<class D>(D*) {
    if constexpr (std::same_as<D, std::bernoulli_distribution>) {
      put(given.empty() ? D() : D(m.convert(given[0], m.types.double_).f));
    } else {
      using T = typename D::result_type;
      const auto parameter = [&](std::size_t i, T standard) {
        if (i >= given.size()) return standard;
        if constexpr (std::is_floating_point_v<T>)
          return static_cast<T>(m.convert(given[i], m.types.double_).f);
        else
          return static_cast<T>(m.convert(given[i], m.types.i64).i);
      };
      const D standard;
      const bool normal = std::same_as<D, std::normal_distribution<T>>;
      const T a = parameter(0, 0), b = parameter(1, normal ? T{1} : static_cast<T>(standard.max()));
      if (normal ? b > 0 : a <= b)
        put(D(a, b));
      else
        m.write(at, t->bytes, nullptr, m.reason("its parameters are none"));
    }
  });
}

/// The next number of an engine, of a distribution with an engine, or of std::random_device.
inline Value next_random(TypedMemory& m, const Place& of, const Place& engine) {
  Value out{.unknown = m.reason("std::random_device gives other numbers in each run")};
  const auto of_type = [&]<class T>(T v) {
    if constexpr (std::is_floating_point_v<T>)
      return real(v, sizeof v == 4 ? m.types.float_ : m.types.double_);
    else if constexpr (std::is_same_v<T, bool>)
      return number(v, m.types.bool_);
    else
      return number(static_cast<std::int64_t>(v), m.types.integer(sizeof v, std::is_signed_v<T>));
  };
  if (!of.known() || of.type->count == random_device) return out;
  with_type<Engines>(of.type->count, first_engine, [&]<class E>(E*) {
    if (E* const object = random_object<E>(m, of.address, out.unknown)) out = of_type((*object)());
  });
  with_type<Distributions>(of.type->count, first_distribution, [&]<class D>(D*) {
    out.unknown = engine.unknown != 0 ? engine.unknown : m.reason("its engine is not known");
    if (!engine.known() || engine.type->kind != Kind::random) return;
    with_type<Engines>(engine.type->count, first_engine, [&]<class E>(E*) {
      E* const from = random_object<E>(m, engine.address, out.unknown);
      D* const object = from != nullptr ? random_object<D>(m, of.address, out.unknown) : nullptr;
      if (object == nullptr) return;
      try {
        LimitedEngine<E> limited{*from};
        out = of_type((*object)(limited));
      } catch (const typename LimitedEngine<E>::Endless&) {
        out.unknown = m.reason("its engine repeats a number");
      }
    });
  });
  return out;
}

}  // namespace lanescope::source::host
