#pragma once
// How many random cases a test has: LANESCOPE_TEST_ROUNDS in the environment, else what a usual run can afford, and four times that
// with LANESCOPE_EXHAUSTIVE.

#include <cstdlib>

#include "tests/sample.h"

namespace lanescope {

inline long from_environment(const char* name, long usual) {
  const char* stated = std::getenv(name);
  return stated == nullptr ? usual : std::atol(stated);
}

inline int test_rounds(int usual) {
  return static_cast<int>(from_environment("LANESCOPE_TEST_ROUNDS", test::exhaustive() ? 4 * usual : usual));
}

}  // namespace lanescope
