#pragma once
// The types of C++ and CUDA that consist of numbers of one kind: `unsigned char`, uint32_t, __half2, float4.

#include <optional>
#include <string_view>

namespace lanescope::source {

struct NumberType {
  std::string_view element_type;  ///< of each number, as buffers name it: "u8", "f16"
  int bytes = 0;                  ///< of all
  int numbers = 1;
  bool is_integer() const { return numbers == 1 && (element_type.front() == 'u' || element_type.front() == 's'); }
};

/// The type that the whole text names, qualifiers and `std::` apart; nullopt for pointers and all others.
std::optional<NumberType> number_type(std::string_view type);
/// The first such type in the text: of a pointer's target, of a template's argument.
std::optional<NumberType> number_type_in(std::string_view type);

}  // namespace lanescope::source
