// Atomics in shared memory: what is predicted is what an H200 counted, kernel by kernel.

#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include <fmt/format.h>

#include "support.h"

namespace lanescope::engine {
namespace {

const std::map<std::string, std::string> atomics = {
    {"inc", "atomicAdd(&s[{}], 1);"},           {"dec", "atomicAdd(&s[{}], -1);"},
    {"two", "atomicAdd(&s[{}], 2);"},           {"used", "out[32 + threadIdx.x] = atomicAdd(&s[{}], 1);"},
    {"or", "atomicOr((unsigned*)&s[{}], 1u);"}, {"part", "if (threadIdx.x & 4) atomicAdd(&s[{}], 1);"},
    {"max", "atomicMax(&s[{}], 3);"},
};
const std::map<std::string, std::string> indices = {
    {"m8", "at % 8"},        {"m64", "at % 64"}, {"m256", "at % 256"},           {"m2048", "at % 2048"},
    {"bank", "at % 8 * 32"}, {"same", "at % 1"}, {"stride", "threadIdx.x * 32"}, {"lane", "threadIdx.x"},
};

std::string kernel_text(const std::string& atomic, const std::string& index, int seed) {
  const std::string statement = fmt::format(fmt::runtime(atomics.at(atomic)), indices.at(index));
  return fmt::format(R"(/*
[lanescope]
grid = 1
block = 32

[buffers]
idx = "u32 i:32 = random {}"
out = "s32 v:2048 = zeros"
*/
__global__ void __launch_bounds__(32) k(const uint *idx, int *out)
{{
    __shared__ int s[2048];
    for (int i = threadIdx.x; i < 2048; i += 32) s[i] = 0;
    __syncwarp();
    uint at = idx[threadIdx.x];
    {}
    __syncwarp();
    for (int i = threadIdx.x; i < 2048; i += 32) out[i] = s[i];
}}
)",
                     seed, statement);
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
