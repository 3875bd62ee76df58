#pragma once
// A function that is not of the file: a row of the table of the CUDA runtime and the C++ library (library.h).

#include <cstdint>
#include <optional>
#include <string_view>

namespace lanescope::source::host {

struct Value;
struct Call;

/// nullopt: with these arguments the function is as unknown as one without a row.
using Handler = std::optional<Value> (*)(Call&);

struct LibraryFunction {
  std::string_view names;              ///< one, or several that are handled alike
  std::uint8_t least = 0, most = 255;  ///< arguments that it takes; more than one row may have a name
  Handler handler = nullptr;
  bool waits = false;  ///< for the kernels before it
  bool ends_program = false;
  double (*of_one)(double) = nullptr;
  double (*of_two)(double, double) = nullptr;
};

struct Library {
  /// nullptr: there is no such row.
  const LibraryFunction* (*function)(std::string_view name, std::size_t arguments);
  Handler method;  ///< of an object that is no structure of the file
};

}  // namespace lanescope::source::host
