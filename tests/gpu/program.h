#pragma once
// The program itself, for tests of what a user types: $LANESCOPE_PROGRAM, else the one that was built beside the tests.

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <string>

namespace lanescope::gpu_test {

inline std::string lanescope_program() {
  const char* chosen = std::getenv("LANESCOPE_PROGRAM");
  return chosen && *chosen ? chosen : LANESCOPE_PROGRAM;
}

}  // namespace lanescope::gpu_test

#define LS_NEEDS_PROGRAM()                                                              \
  if (::access(::lanescope::gpu_test::lanescope_program().c_str(), X_OK) != 0)          \
  GTEST_SKIP() << "SKIPPED, there is no " << ::lanescope::gpu_test::lanescope_program() \
               << "; name one in LANESCOPE_PROGRAM"
