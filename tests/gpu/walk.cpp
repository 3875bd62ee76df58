#include "tests/gpu/walk.h"

#include <array>
#include <cstring>
#include <set>

#include "kernels/compile/compile.h"
#include "tests/gpu/machine.h"

namespace lanescope::gpu_test {

std::string no_compiler() {
  const auto tools = compile::toolchain();
  return tools.nvrtc ? "" : "SKIPPED, needs NVRTC: " + tools.problem;
}

namespace walk {
namespace {

constexpr const char* text = R"(// [lanescope]
// kernel = "walk"

extern "C" __global__ void walk(float* out, const float* in, int step, int rounds) {
  __shared__ float tile[1024];
  const int thread = threadIdx.x;
  float sum = BIAS;
#pragma unroll 1
  for (int r = 0; r < rounds; ++r) { tile[thread] =
        in[(thread * step + 32 * r) & 8191];
    __syncthreads();
    sum += tile[(thread * step) & 1023];
    __syncthreads();
  }
  out[blockIdx.x * blockDim.x + thread] = sum;
}
)";

std::string with_bias(int bias) {
  std::string source = text;
  const std::string_view name = "BIAS";
  return source.replace(source.find(name), name.size(), std::to_string(bias) + ".25f");
}

std::vector<std::byte> bytes_of(int value) {
  std::vector<std::byte> bytes(sizeof value);
  std::memcpy(bytes.data(), &value, sizeof value);
  return bytes;
}

/// Wavefronts of a warp's four-byte accesses: the most distinct words in any one of the 32 banks.
unsigned wavefronts(const std::set<unsigned>& words) {
  std::array<unsigned, 32> in_bank{};
  unsigned most = 0;
  for (const unsigned w : words) most = std::max(most, ++in_bank[w % 32]);
  return most;
}

}  // namespace

std::string ptx(int bias) {
  const auto source = source::read("walk.cu", with_bias(bias));
  if (!source) return "";
  const auto made = compile::compile(*source, compile::Variant::plain, {.arch = device().arch(), .extra = {}});
  return made ? made->compiled.ptx : "";
}

trace::Launch launch(const Shape& s) {
  return {.kernel = "walk",
          .grid = {s.blocks, 1, 1},
          .block = {s.threads, 1, 1},
          .arguments = {trace::BufferArgument{.buffer = 1}, trace::BufferArgument{.buffer = 0}, bytes_of(s.step),
                        bytes_of(s.rounds)}};
}

std::vector<trace::Buffer> buffers(unsigned threads) {
  return {{.name = "in", .element_type = "f32", .bytes = std::vector<std::byte>(input_elements * sizeof(float))},
          {.name = "out", .element_type = "f32", .bytes = std::vector<std::byte>(threads * sizeof(float))}};
}

cupti::Request request(const std::vector<Shape>& shapes, std::vector<std::string> metrics) {
  unsigned threads = 1;
  cupti::Request r{.ptx = ptx(), .launches = {}, .buffers = {}, .metrics = std::move(metrics)};
  for (const Shape& s : shapes) {
    threads = std::max(threads, s.blocks * s.threads);
    r.launches.push_back(launch(s));
  }
  r.buffers = buffers(threads);
  return r;
}

Costs costs(const Shape& s) {
  constexpr unsigned lanes = 32, elements_per_sector = 8;
  Costs total;
  for (unsigned warp = 0; warp < s.threads / lanes; ++warp) {
    std::set<unsigned> tile_words;
    for (unsigned lane = 0; lane < lanes; ++lane)
      tile_words.insert((warp * lanes + lane) * static_cast<unsigned>(s.step) % tile_elements);
    for (int round = 0; round < s.rounds; ++round) {
      std::set<unsigned> sectors;
      for (unsigned lane = 0; lane < lanes; ++lane) {
        const unsigned thread = warp * lanes + lane;
        sectors.insert((thread * static_cast<unsigned>(s.step) + 32 * static_cast<unsigned>(round)) % input_elements /
                       elements_per_sector);
      }
      total.load_sectors += static_cast<double>(sectors.size());
      total.store_wavefronts += 1;
      total.load_wavefronts += wavefronts(tile_words);
    }
    total.store_sectors += static_cast<double>(lanes / elements_per_sector);
  }
  for (double* value : {&total.load_sectors, &total.store_sectors, &total.store_wavefronts, &total.load_wavefronts})
    *value *= s.blocks;
  return total;
}

}  // namespace walk
}  // namespace lanescope::gpu_test
