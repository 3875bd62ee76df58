// Random kernels of which ptxas makes fma instructions, on a GPU: the first 200 are equal to the recorded results.
// LANESCOPE_RECORD_CONTRACTION=FILE writes them instead; it is tests/data/contraction/results_h200.txt after its first line.

#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <fstream>

#include "kernels/gpu/program.h"
#include "tests/gpu/machine.h"
#include "tests/kernels/emulator/contraction_programs.h"

namespace lanescope::gpu_test {
namespace {

using emulator::test::ContractionProgram;

std::string hash_on_gpu(std::uint64_t seed) {
  ContractionProgram random(seed);
  const std::string text = random.text();
  const std::size_t word = static_cast<std::size_t>(random.type().bits) / 8;
  std::vector<trace::Buffer> buffers{
      {"in", "u32", 32, std::vector<std::byte>(32 * emulator::test::contraction_inputs * word), true},
      {"out", "u32", 32, std::vector<std::byte>(32 * emulator::test::contraction_outputs * word), true}};
  std::size_t at = 0;
  for (const std::uint64_t w : random.inputs()) std::memcpy(buffers[0].bytes.data() + word * at++, &w, word);
  trace::Launch launch;
  launch.kernel = "k";
  launch.grid = {1, 1, 1};
  launch.block = {32, 1, 1};
  launch.arguments = {trace::BufferArgument{0}, trace::BufferArgument{1}};
  auto program = gpu::Program::open(0);
  if (!program) return to_string(program.error().front());
  if (auto loaded = (*program)->load(text, {launch}, buffers); !loaded) return to_string(loaded.error().front());
  gpu::Status status = (*program)->upload(buffers);
  if (!status) status = (*program)->launch(0);
  if (!status) status = (*program)->synchronize();
  if (!status) status = (*program)->download(buffers);
  if (status) return gpu::status_words(status);
  const std::uint64_t hash = random.hash([&](int i) {
    std::uint64_t w = 0;
    std::memcpy(&w, buffers[1].bytes.data() + word * static_cast<std::size_t>(i), word);
    return w;
  });
  return fmt::format("{:016x}", hash);
}

TEST(ContractionOnGpu, EqualsTheRecorded) {
  LS_NEEDS_GPU();
  if (const char* path = std::getenv("LANESCOPE_RECORD_CONTRACTION")) {
    std::ofstream out(path);
    for (std::uint64_t seed = 0; seed < 1446; ++seed) out << hash_on_gpu(seed) << '\n';
    return;
  }
  std::ifstream file(std::string(LANESCOPE_TEST_DATA_DIR) + "/contraction/results_h200.txt");
  std::string line;
  std::getline(file, line);
  std::uint64_t seed = 0;
  // 0.2 s each.
  for (; seed < 200 && file >> line; ++seed) EXPECT_EQ(hash_on_gpu(seed), line) << "seed " << seed;
  EXPECT_EQ(seed, 200u);
}

}  // namespace
}  // namespace lanescope::gpu_test
