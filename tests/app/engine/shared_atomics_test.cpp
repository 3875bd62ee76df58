// Atomics in shared memory: what is predicted is what an H200 counted, kernel by kernel.

#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include "support.h"
#include "tests/catalogue/shared_atomic_kernels.h"

namespace lanescope::engine {
namespace {

/// The predicted cost of each kernel's atomic, by "atomic index"; idx is `random`.
std::map<std::string, access::Sum> predicted(int random) {
  const catalogue::SharedAtomicFile file = catalogue::shared_atomic_file(random);
  RunRequest request;
  request.file = "k.cu";
  request.text = file.text;
  request.probed_run = false;
  Session session;
  session.run(request);
  EXPECT_EQ(session.ending(), Ending::good) << test::all_words(session.summary());
  std::map<std::string, access::Sum> out;
  for (const catalogue::SharedAtomicKernel& k : file.kernels) {
    const auto at = session.counters().lines.find(k.line);
    if (at != session.counters().lines.end()) out[k.atomic + " " + k.index] = at->second.shared_atomic;
  }
  return out;
}

nlohmann::json rows_of(const char* name) {
  std::ifstream file(fmt::format(LANESCOPE_SOURCE_DIR "/bench/results/{}.json", name));
  return nlohmann::json::parse(file)["rows"];
}

TEST(SharedAtomics, AreWhatAnH200Counted) {
  NEEDS_NVRTC();
  std::map<int, std::map<std::string, access::Sum>> all{{1, predicted(1)}, {2, predicted(2)}};
  const nlohmann::json apart = rows_of("gpu_shared_atomics"), bytes = rows_of("gpu_shared_atomic_bytes");
  ASSERT_GT(apart.size(), 40u);
  ASSERT_EQ(bytes.size(), 88u);
  for (const nlohmann::json& row : apart) {
    const std::string what = row["atomic"].get<std::string>() + " " + row["index"].get<std::string>();
    const access::Sum& counts = all[row["seed"].get<int>()][what];
    EXPECT_EQ(counts.wavefronts, row["wavefronts"]) << what;
    EXPECT_EQ(counts.bank_conflicts, row["conflicts"]) << what;
  }
  for (const nlohmann::json& row : bytes) {
    const std::string what = row["atomic"].get<std::string>() + " " + row["index"].get<std::string>();
    const access::Sum& counts = all[1][what];
    EXPECT_EQ(counts.requests, 1u) << what;
    EXPECT_EQ(counts.wavefronts, row["measured"][0]) << what;
    EXPECT_EQ(counts.bank_conflicts, row["measured"][1]) << what;
    EXPECT_EQ(counts.bytes_requested, row["measured"][2]) << what;
  }
}

/// Lanes that access a word request it once: 807 distinct words in the 32 atomics of 32 lanes, where an
/// H200 counted 46.787 % (1,024 bytes of loads and stores beside them, 71 wavefronts of 128 bytes).
TEST(SharedAtomics, RequestEachWordOnce) {
  NEEDS_NVRTC();
  RunRequest request;
  request.file = LANESCOPE_SOURCE_DIR "/assets/kernels/histogram_shared.cu";
  std::ifstream file(request.file);
  request.text = {std::istreambuf_iterator<char>(file), {}};
  Session session;
  const results::Summary& s = session.run(request);
  ASSERT_TRUE(s.ok) << test::all_words(s);
  EXPECT_EQ(session.counters().total.shared_atomic.bytes_requested, 4u * 807);
  for (const counters::Ratio& r : counters::ratios())
    if (r.name == "smsp__sass_average_data_bytes_per_wavefront_mem_shared.pct") {
      EXPECT_NEAR(r.value(session.counters().total).value_or(0), 46.786971830985912, 1e-9);
    }
}

}  // namespace
}  // namespace lanescope::engine
