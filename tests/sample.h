#pragma once
// Samples of laws that hold for many cases and take long: LANESCOPE_EXHAUSTIVE=1 tries every case.

#include <cstddef>
#include <cstdlib>

namespace lanescope::test {

inline bool exhaustive() {
  static const bool all = std::getenv("LANESCOPE_EXHAUSTIVE") != nullptr;
  return all;
}

/// Whether case number `n` is tried: one of `every`.
inline bool in_sample(std::size_t n, std::size_t every) { return exhaustive() || n % every == 0; }

}  // namespace lanescope::test
