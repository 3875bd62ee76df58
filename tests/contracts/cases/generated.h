#pragma once
// Random device functions whose comments state their input, and what is true of each of their comments: found by moving
// numbers about in tables of places, one step after another, without a kernel, a compiler or an emulator.

#include <cstdint>
#include <string>
#include <vector>

namespace lanescope::contracts {

/// Of one comment of a generated file.
struct Expected {
  int line = 0;        ///< of its first row
  bool given = false;  ///< it states the input of a function
  bool holds = true;
  int function = 0;
};

struct Generated {
  std::string text;
  std::vector<Expected> claims;  ///< in text order
  int functions = 0, mistakes = 0;
};

/// `functions` functions, of which some call those before them. Of every three about one has a mistake: in its input, in
/// a step, or in a comment. The same for the same seed.
Generated generate(std::uint64_t seed, int functions);

}  // namespace lanescope::contracts
