#pragma once
// The options of nvcc (nvcc --help of CUDA 13.0), and of NVRTC where it has more: how each is written, and what becomes of
// it. What has no row, and what is `pass_typed`, reaches the compiler from a person only: NVRTC's
// --create-pch overwrites a file, and the --options-file of its assembler shows one.

#include <cstdint>
#include <string>
#include <string_view>

namespace lanescope::options {

enum class Values : std::uint8_t {
  none,
  one,       ///< -std=c++17, -std c++17
  attached,  ///< -Iinclude, -I=include, -I include
};

enum class Meaning : std::uint8_t {
  include_folder,
  define,
  undefine,
  pre_include,
  standard,
  architecture,   ///< -arch
  code,           ///< -code
  generate_code,  ///< -gencode
  register_limit,
  assembler,  ///< -Xptxas
  front_end,  ///< -Xcudafe
  device_debug,
  options_file,
  pass,        ///< NVRTC has it by this long name
  pass_typed,  ///< the same, where a person gives it
  no_use,
};

struct NvccOption {
  std::string long_name, short_name;  ///< with their dashes; either may be empty
  Values values = Values::none;
  Meaning meaning = Meaning::no_use;
  std::string_view reason{};  ///< why it is left out
};

/// The row of a word such as "-std=c++17" or "-Iinclude"; nullptr: unknown.
const NvccOption* find_option(std::string_view word);

/// Whether a file may give this option of the assembler: optimisation, caching, register limits and warnings.
bool is_assembler_option_of_files(std::string_view word);

/// What is known of a word that has no row but is a host compiler's: -Wall, -fPIC, -march=native, -pthread.
bool is_host_option(std::string_view word);

}  // namespace lanescope::options
