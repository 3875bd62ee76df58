#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "kernels/emulator/forms/forms.h"

namespace lanescope::emulator::test {

/// Instances of the forms that the table says `test` executes.
inline std::vector<std::string> instances_of(std::string_view test) {
  std::vector<std::string> all;
  for (const Form& form : forms())
    if (form.test == test)
      for (std::string& i : instances(form)) all.push_back(std::move(i));
  EXPECT_FALSE(all.empty()) << test;
  return all;
}

}  // namespace lanescope::emulator::test
