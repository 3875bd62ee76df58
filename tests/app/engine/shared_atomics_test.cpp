// Atomics in shared memory: what is predicted is what an H200 counted, kernel by kernel.

#include <fstream>
#include <nlohmann/json.hpp>

#include "support.h"
#include "tests/catalogue/shared_atomic_kernels.h"

namespace lanescope::engine {
namespace {

std::string kernel_text(const std::string& atomic, const std::string& index, int seed) {
  return "/*\n[lanescope]\ngrid = 1\nblock = 32\n\n" + catalogue::shared_atomic_buffers(seed) + "*/\n" +
         catalogue::shared_atomic_kernel("k", atomic, index);
}

std::uint64_t counter(const counters::Report& report, std::string_view name) {
  for (const counters::Metric& m : counters::metrics())
    if (m.name == name) return m.value(report.total);
  ADD_FAILURE() << "no counter " << name;
  return 0;
}

TEST(SharedAtomics, AreWhatAnH200Counted) {
  NEEDS_NVRTC();
  std::ifstream file(LANESCOPE_SOURCE_DIR "/bench/results/gpu_shared_atomics.json");
  const nlohmann::json rows = nlohmann::json::parse(file)["rows"];
  ASSERT_GT(rows.size(), 40u);
  for (const nlohmann::json& row : rows) {
    const std::string atomic = row["atomic"], index = row["index"];
    RunRequest request;
    request.file = "k.cu";
    request.text = kernel_text(atomic, index, row["seed"]);
    Session session;
    const results::Summary& s = session.run(request);
    ASSERT_TRUE(s.ok) << test::all_words(s);
    EXPECT_EQ(counter(session.counters(), "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_atom.sum"),
              row["wavefronts"])
        << atomic << " " << index;
    EXPECT_EQ(counter(session.counters(), "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_atom.sum"),
              row["conflicts"])
        << atomic << " " << index;
  }
}

/// Words that lanes are counted at together are requested once: 807 distinct words in the 32 atomics of 32 lanes, where an
/// H200 counted 46.787 % (1,024 bytes of loads and stores beside them, 71 wavefronts of 128 bytes).
TEST(SharedAtomics, RequestTheWordsThatTheyCount) {
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
    if (r.name == "smsp__sass_average_data_bytes_per_wavefront_mem_shared.pct")
      EXPECT_NEAR(r.value(session.counters().total).value_or(0), 46.786971830985912, 1e-9);
}

}  // namespace
}  // namespace lanescope::engine
