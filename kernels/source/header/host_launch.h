#pragma once
// What the host code of a file says about its launches: `kernel<<<grid, block, shared>>>(arguments)` with sizes that are
// constants of the text (numbers, `const int`, `#define`, dim3, sizeof), and the sizes that cudaMalloc gave to pointers.
// Every declarator of a declaration counts: `dim3 grid(8), block(128);`. Anything else is simply not known; nothing is
// ever guessed here.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "kernels/source/cxx/lexer.h"

namespace lanescope::source {

struct HostLaunch {
  std::string kernel;  ///< "copy" or an instance, "copy<float4>"
  int line = 0;
  std::optional<std::array<std::uint32_t, 3>> grid, block;
  std::optional<std::uint32_t> shared_bytes;
  struct Argument {
    std::string text;
    std::optional<std::int64_t> value;   ///< a constant
    std::optional<std::uint64_t> bytes;  ///< a pointer that cudaMalloc made this large
  };
  std::vector<Argument> arguments;
};

/// In text order.
std::vector<HostLaunch> host_launches(const Lexed& lexed);

}  // namespace lanescope::source
