#include "kernels/compile/compile_options.h"

#include <gtest/gtest.h>

namespace lanescope::compile {
namespace {

TEST(Architecture, HasTheNumberOfItsName) {
  for (const auto& [name, number] :
       {std::pair{"sm_90", 90}, {"sm_90a", 90}, {"sm_100f", 100}, {"compute_75", 75}, {"sm_30", 30}, {"sm_121", 121}}) {
    EXPECT_EQ(architecture_number(name), number);
    EXPECT_TRUE(wrong_architecture("k.cu", name).empty());
  }
  for (const char* name : {"", "banana", "90", "sm_", "sm_9", "sm_9a", "sm_090", "sm_90b", "sm_90aa", "sm_1000",
                           "SM_90", " sm_90", "sm_90 ", "compute_", "lto_90"}) {
    EXPECT_EQ(architecture_number(name), 0) << name;
    ASSERT_EQ(wrong_architecture("k.cu", name).size(), 1u) << name;
  }
}

}  // namespace
}  // namespace lanescope::compile
