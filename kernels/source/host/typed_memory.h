#pragma once
// Memory read and written by type, and numbers combined and converted as C++ does it. A value without memory of its own
// (`in_memory()`) is the address of its bytes.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/source/host/value.h"

namespace lanescope::source::host {

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
