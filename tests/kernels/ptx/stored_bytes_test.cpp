// How much one thread stores at most, against a count of the stores on every path of small random programs.

#include "kernels/ptx/value_numbers.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <optional>
#include <random>

#include <fmt/format.h>

namespace lanescope::ptx {
namespace {

std::string module_of(const std::string& body) {
  return ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k()\n{\n.reg .pred %p<3>;\n.reg .b64 %rd<3>;\n"
         ".reg .b32 %r<3>;\n.reg .f32 %f<9>;\n" +
         body + "ret;\n}\n";
}

std::optional<std::uint64_t> bound_of(const std::string& body) {
  const auto module = parse(module_of(body));
  EXPECT_TRUE(module) << (module ? "" : to_string(module.error().front())) << body;
  return module ? most_stored_bytes(module->entries.at(0)) : std::nullopt;
}

TEST(StoredBytes, WidthsAndSpaces) {
  EXPECT_EQ(bound_of(""), 0U);
  EXPECT_EQ(bound_of("st.global.f32 [%rd1], %f1;\n"), 4U);
  EXPECT_EQ(bound_of("st.global.v4.f32 [%rd1], {%f1, %f2, %f3, %f4};\n"), 16U);
  EXPECT_EQ(bound_of("st.shared.f32 [%rd1], %f1;\nst.local.f32 [%rd1], %f1;\nst.global.u8 [%rd1], %r1;\n"), 1U);
  EXPECT_EQ(bound_of("st.f32 [%rd1], %f1;\n"), 4U);  // generic: may be global
  EXPECT_EQ(bound_of("red.global.add.f32 [%rd1], %f1;\natom.global.add.u32 %r1, [%rd1], %r2;\n"), 8U);
}

TEST(StoredBytes, AStoreInALoopHasNoBound) {
  EXPECT_EQ(bound_of("L:\nst.global.f32 [%rd1], %f1;\n@%p1 bra L;\n"), std::nullopt);
  EXPECT_EQ(bound_of("L:\nadd.f32 %f1, %f1, %f2;\n@%p1 bra L;\nst.global.f32 [%rd1], %f1;\n"), 4U);
  EXPECT_EQ(bound_of("@%p1 bra L;\nst.global.f32 [%rd1], %f1;\nL:\nst.global.f32 [%rd1+4], %f1;\n"), 8U);
  // The body of the loop lies after its branch back.
  EXPECT_EQ(bound_of("bra.uni B;\nA:\nst.global.f32 [%rd1], %f1;\nbra.uni C;\nB:\n@%p1 bra A;\nC:\n@%p2 bra B;\n"),
            std::nullopt);
}

TEST(StoredBytes, ValuesFromSharedMemory) {
  const auto from_shared = [](const std::string& body) {
    const auto module = parse(module_of(body));
    EXPECT_TRUE(module);
    return module && stores_from_shared(module->entries.at(0));
  };
  EXPECT_TRUE(from_shared("ld.shared.f32 %f1, [%rd1];\nst.global.f32 [%rd2], %f1;\n"));
  EXPECT_TRUE(from_shared("ld.shared.v2.f32 {%f1, %f2}, [%rd1];\nmov.f32 %f3, %f2;\nst.global.f32 [%rd2], %f3;\n"));
  EXPECT_FALSE(from_shared("ld.shared.f32 %f1, [%rd1];\nadd.f32 %f2, %f1, %f1;\nst.global.f32 [%rd2], %f2;\n"));
  EXPECT_FALSE(from_shared("ld.global.f32 %f1, [%rd1];\nst.global.f32 [%rd2], %f1;\nst.shared.f32 [%rd2], %f1;\n"));
  EXPECT_FALSE(from_shared("ld.shared.u64 %rd2, [%rd1];\nst.global.f32 [%rd2], %f1;\n"));
}

// No path, however often it goes round, stores more than the bound.
TEST(StoredBytes, NoWalkStoresMore) {
  std::mt19937 random(11);
  int bounded = 0, open = 0;
  for (int trial = 0; trial < 300; ++trial) {
    const int lines = 8;
    std::string body;
    std::map<int, int> jumps;
    std::vector<bool> stores(lines);
    for (int i = 0; i < lines; ++i) {
      body += fmt::format("L{}:\n", i);
      const unsigned kind = random() % 5;
      if (kind == 0) {
        stores[static_cast<std::size_t>(i)] = true;
        body += "st.global.f32 [%rd1], %f1;\n";
      } else if (kind == 1) {
        jumps[i] = static_cast<int>(random() % lines);
        body += fmt::format("@%p1 bra L{};\n", jumps[i]);
      } else {
        body += "add.f32 %f1, %f1, %f2;\n";
      }
    }
    const std::optional<std::uint64_t> bound = bound_of(body);
    std::uint64_t most = 0;
    for (int walk = 0; walk < 60; ++walk) {
      std::uint64_t stored = 0;
      for (int at = 0, steps = 0; at < lines && steps < 200; ++steps) {
        stored += stores[static_cast<std::size_t>(at)] ? 4 : 0;
        at = jumps.contains(at) && random() % 2 == 0 ? jumps.at(at) : at + 1;
      }
      most = std::max(most, stored);
    }
    (bound ? bounded : open) += 1;
    if (bound) {
      EXPECT_LE(most, *bound) << body;
    }
  }
  EXPECT_GT(bounded, 50);
  EXPECT_GT(open, 50);
}

}  // namespace
}  // namespace lanescope::ptx
