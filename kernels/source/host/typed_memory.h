#pragma once
// Memory read and written by type, and numbers combined and converted as C++ does it. A value is a number, an address, or the
// reason why it is unknown; one without memory of its own (`in_memory()`) is the address of its bytes.

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

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

class TypedMemory : public Memory {
 public:
  TypedMemory(TypeTable& types, std::uint64_t most_bytes)
      : Memory(most_bytes), types(types), uninitialised(reason("it is not set")) {}

  Value decayed(Value v) {  ///< an array as a pointer to its first element
    if (v.type != nullptr && v.type->kind == Kind::array) v.type = types.pointer_to(v.type->of);
    return v;
  }
  Value convert(Value v, const Type* to);
  Value arithmetic(Op op, Value a, Value b, int line);
  /// A number cut or rounded to its type.
  static Value normal(Value v);

  Value load(const Place& p);
  /// Converts the value to the place's type. A vector is written as its three words.
  void put(const Place& p, Value v);
  std::uint64_t word(Address a);  ///< 8 bytes; 0 where they are unknown
  void set_word(Address a, std::uint64_t v) { write(a, 8, &v, 0); }
  void zero(Address at, const Type* t) { fill(at, std::byte{0}, t->bytes, 0); }
  std::optional<Place> member(const Place& of, std::string_view name);
  std::string text_of(const Value& v);  ///< up to its 0, at most 4096 characters

  Value allocate(std::uint64_t bytes, Space space, int line, Reason content);
  Address slot_memory(Slot& s, const Type* t);
  Address temporary(const Type* t);
  void keep_until_statement_ends(Address a) { temporaries_.push_back(a); }
  std::size_t temporaries() const { return temporaries_.size(); }
  void release_temporaries(std::size_t from);

  TypeTable& types;
  const Reason uninitialised;

 private:
  Value pointer_arithmetic(Op op, const Value& a, const Value& b);
  Value to_whole(const Value& v, const Type* to);
  Value to_record(const Value& v, const Type* to);

  std::vector<Address> temporaries_;
};

}  // namespace lanescope::source::host
