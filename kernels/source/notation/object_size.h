#pragma once
// The size of an object by the text of its declaration. It decides whether a variable has the number of registers of a
// claim.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/source/cxx/outline.h"
#include "kernels/source/notation/stated_array.h"

namespace lanescope::source {

/// "s.v4" is the member v4 of the variable s, "x[2]" the element 2 of x, "this->e" the member e of the method's object.
struct NamePath {
  std::string base;  ///< the variable
  std::string path;  ///< ".v4", "[2]", "->v4"; empty for the whole variable
};
NamePath parts_of(std::string_view name);

/// The type of an object and how many of it there are.
struct ObjectType {
  std::string type;                   ///< of one element, without const
  std::vector<std::int64_t> extents;  ///< of an array, slowest first; -1 if the text does not give it
  bool pointer = false;
};

/// Of a local, or what `path` selects of it; nullopt where there is no such part.
std::optional<ObjectType> object_at(const Lexed& lexed, const Outline& outline, const Values& values,
                                    const Local& local, std::string_view path);

/// Bytes; 0 if the text does not give them.
std::uint64_t bytes_of(const ObjectType& object, const Outline& outline, const Values& values);

/// Whether an object of so many bytes may be the `registers` of a register row (a power of two): units of 32 bits, of
/// one element, or of 64 bits. `bytes` 0 (unknown): false.
bool fills_registers(std::uint64_t bytes, std::uint64_t element_bytes, int registers);

}  // namespace lanescope::source
