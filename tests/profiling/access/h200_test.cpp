// Every row of tests/data/h200_memory_counters.json: what the counters of an H200 showed for one warp instruction.

#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/profiling/access/random_pattern.h"

namespace lanescope::access {
namespace {

using nlohmann::json;

json measured() {
  std::ifstream file(std::string(LANESCOPE_TEST_DATA_DIR) + "/h200_memory_counters.json");
  return json::parse(file);
}

Access pattern_of(const json& row) {
  Access p;
  p.kind = row[0] == "ld" ? AccessKind::load : AccessKind::store;
  p.width_bytes = row[1];
  p.mask = row[2];
  for (int lane = 0; lane < 32; ++lane) p.addresses[lane] = (1u << 20) + row[3][lane].get<std::uint64_t>();
  return p;
}

TEST(H200, SharedWavefrontsAndConflictsAreExact) {
  const json data = measured();
  ASSERT_EQ(data["shared"].size(), 1245u);
  for (const json& row : data["shared"]) {
    const Cost cost = shared_price(pattern_of(row));
    EXPECT_EQ(cost.wavefronts, row[4].get<std::uint32_t>()) << row.dump();
    EXPECT_EQ(cost.bank_conflicts, row[5].get<std::uint32_t>()) << row.dump();
  }
}

TEST(H200, GlobalSectorsAreExact) {
  const json data = measured();
  ASSERT_EQ(data["global"].size(), 601u);
  for (const json& row : data["global"]) {
    const Cost cost = global_price(pattern_of(row));
    EXPECT_EQ(cost.sectors, row[4].get<std::uint32_t>()) << row.dump();
    EXPECT_EQ(cost.requests, 1u);
  }
}

}  // namespace
}  // namespace lanescope::access
