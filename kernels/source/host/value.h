#pragma once
// A value of host code: a number, an address, or the reason why it is unknown; and the places where values are stored.

#include <cstdint>
#include <deque>
#include <optional>

#include "kernels/source/host/memory.h"
#include "kernels/source/host/program/program.h"

namespace lanescope::source::host {

struct Value {
  const Type* type = nullptr;
  std::int64_t i = 0;  ///< integers, pointers, the address of a value in memory
  double f = 0;
  Reason unknown = 0;
  Address address() const { return static_cast<Address>(i); }
  bool known() const { return type != nullptr && unknown == 0; }
  bool is(Kind kind) const { return known() && type->kind == kind; }
};

inline Value number(std::int64_t v, const Type* t) { return {.type = t, .i = v}; }
inline Value real(double v, const Type* t) { return {.type = t, .f = v}; }
inline Value at_address(Address a, const Type* t) { return {.type = t, .i = static_cast<std::int64_t>(a)}; }
inline Value unknown_value(const Type* t, Reason why) { return {.type = t, .unknown = why}; }

/// nullopt: unknown, or neither a number nor an address.
inline std::optional<bool> truth(const Value& v) {
  if (!v.known()) return std::nullopt;
  if (v.type->kind == Kind::floating) return v.f != 0;
  if (v.type->is_whole() || v.type->kind == Kind::pointer || v.type->kind == Kind::code) return v.i != 0;
  return v.type->kind == Kind::array ? std::optional(true) : std::nullopt;
}

inline double as_real(const Value& v) {
  if (v.type->kind == Kind::floating) return v.f;
  return v.type->is_signed || v.type->kind != Kind::integer ? static_cast<double>(v.i)
                                                            : static_cast<double>(static_cast<std::uint64_t>(v.i));
}

struct Place {
  Address address = 0;
  const Type* type = nullptr;
  Reason unknown = 0;  ///< why the place is unknown
  bool known() const { return type != nullptr && unknown == 0; }
};

/// The place that a pointer leads to.
inline Place pointee(const Value& v) { return {v.address(), v.type != nullptr ? v.type->of : nullptr, v.unknown}; }

struct Slot {
  const Type* type = nullptr;
  Address address = 0;
  bool owned = false;
};

/// The variables of one call.
struct Frame {
  std::deque<Slot> slots{};
  Address self = 0;
  int record = -1;
  const Bindings* bindings = nullptr;
  std::uint64_t serial = 0;
  bool alive = true;
};

inline bool is_memory(const Object& o) { return o.space != Space::code && o.space != Space::characters; }
inline bool of_device(const Object& o) {
  return o.space == Space::device || o.space == Space::managed || o.space == Space::symbol;
}

}  // namespace lanescope::source::host
