// From opening to verdict: a file of 3,000 lines in the manner of people's own programs - four kernels with claims, device
// functions, host code that fills arrays, checks results and launches, and many comments. Goal: under 2 s warm. `edited` is
// what a change of a comment costs once the file is open.

#include <benchmark/benchmark.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <string>

#include <fmt/format.h>

#include "app/engine/session/session.h"
#include "kernels/source/source.h"

namespace {

using namespace lanescope;

constexpr int wanted_lines = 3000;

std::string kernel(int n) {
  return fmt::format(R"(
/*
 * Stage {0}: every block takes a slab of 32 x 32 elements, transposes it through shared memory and
 * scales it. Reads and writes are coalesced; the tile has a column of padding against bank conflicts.
 */
template <int ROWS>
__global__ void __launch_bounds__(256) stage{0}(const float* __restrict__ in, float* __restrict__ out, int width, float scale)
{{
    __shared__ float tile[32][33];
    int x = blockIdx.x * 32 + threadIdx.x;
    int y = blockIdx.y * 32 + threadIdx.y;
    float v[ROWS];
#pragma unroll
    for (int r = 0; r < ROWS; r++)
        v[r] = in[(y + r * 8) * width + x];
    // v has register assignment:
    //   register:  r1 r0           <->  in10 in9
    //   thread:    t4 t3 t2 t1 t0  <->  in4 in3 in2 in1 in0
#pragma unroll
    for (int r = 0; r < ROWS; r++)
        tile[threadIdx.y + r * 8][threadIdx.x] = helper{0}_0(v[r]) * scale;
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x;
    y = blockIdx.x * 32 + threadIdx.y;
#pragma unroll
    for (int r = 0; r < ROWS; r++)
        if (x < width) out[(y + r * 8) * width + x] = tile[threadIdx.x][threadIdx.y + r * 8];
}}
)",
                     n);
}

std::string device_function(int stage, int n) {
  return fmt::format(R"(
// A step of stage {0}: clamps, folds and rounds. Kept out of line in debug builds.
__device__ __forceinline__ float helper{0}_{1}(float value)
{{
    const float low = {1}.0f - 1000.0f, high = {1}.0f + 1000.0f;
    if (value < low) value = low;
    if (value > high) value = high;
    return value * (1.0f + 0.0f * {1});
}}
)",
                     stage, n);
}

std::string host_function(int n) {
  return fmt::format(R"(
// Compares two arrays and says where they differ first. Tolerances as in the paper, table {0}.
static bool verify_{0}(const std::vector<float>& expected, const std::vector<float>& actual, double tolerance = 1e-{1})
{{
    if (expected.size() != actual.size()) {{
        fprintf(stderr, "sizes differ: %zu and %zu\n", expected.size(), actual.size());
        return false;
    }}
    double worst = 0;
    for (size_t i = 0; i < expected.size(); i++) {{
        double difference = std::fabs(double(expected[i]) - double(actual[i]));
        if (difference > worst) worst = difference;
        if (difference > tolerance * std::max(1.0, std::fabs(double(expected[i])))) {{
            fprintf(stderr, "element %zu: expected %f, got %f\n", i, expected[i], actual[i]);
            return false;
        }}
    }}
    printf("check {0}: worst difference %g\n", worst);
    return true;
}}
)",
                     n, 3 + n % 5);
}

std::string main_function() {
  std::string text = R"(
int main(int argc, char** argv)
{
    const int width = argc > 1 ? atoi(argv[1]) : 64;
    const size_t bytes = size_t(width) * width * sizeof(float);
    std::vector<float> host(width * width), result(width * width);
    for (int i = 0; i < width * width; i++) host[i] = (i % 977) * 0.5f;
    float *a, *b;
    CHECK(cudaMalloc(&a, bytes));
    CHECK(cudaMalloc(&b, bytes));
    CHECK(cudaMemcpy(a, host.data(), bytes, cudaMemcpyHostToDevice));
    dim3 block(32, 8), grid(width / 32, width / 32);
)";
  for (int n = 0; n < 4; ++n)
    text += fmt::format("    stage{}<4><<<grid, block>>>({}, width, 1.0f);\n    CHECK(cudaGetLastError());\n", n,
                        n % 2 == 0 ? "a, b" : "b, a");
  return text + R"(    CHECK(cudaMemcpy(result.data(), a, bytes, cudaMemcpyDeviceToHost));
    bool good = verify_0(host, result);
    CHECK(cudaFree(a));
    CHECK(cudaFree(b));
    return good ? 0 : 1;
}
)";
}

std::string program() {
  std::string text = R"(// Four stages of a pipeline over square images, with their tests.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call)                                                                          \
    do {                                                                                     \
        cudaError_t status = (call);                                                         \
        if (status != cudaSuccess) {                                                         \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(status));  \
            exit(1);                                                                         \
        }                                                                                    \
    } while (0)
)";
  for (int stage = 0; stage < 4; ++stage) {
    for (int n = 0; n < 40; ++n) text += device_function(stage, n);
    text += kernel(stage);
  }
  const auto lines = [&] { return static_cast<int>(std::ranges::count(text, '\n')); };
  for (int n = 0; lines() < wanted_lines - 40; ++n) text += host_function(n);
  return text + main_function();
}

const std::string& file() {
  static const std::string path = [] {
    const auto folder = std::filesystem::temp_directory_path() / "lanescope_opening";
    std::filesystem::create_directories(folder);
    const std::string name = (folder / "pipeline.cu").string();
    std::ofstream(name) << program();
    return name;
  }();
  return path;
}

void read(benchmark::State& state) {
  const std::string text = program();
  for (auto _ : state) {
    auto source = source::read(file(), text);
    if (!source) return state.SkipWithError(source.error().front().message.c_str());
    benchmark::DoNotOptimize(source);
  }
  state.counters["lines"] = static_cast<double>(std::ranges::count(text, '\n'));
}

/// `edited`: a comment changes each time.
void open_and_judge(benchmark::State& state) {
  const bool edited = state.range(0) != 0;
  ::setenv("LANESCOPE_COMPILE_CACHE", "off", 1);
  engine::RunRequest request;
  request.file = file();
  request.review = true;
  const std::string text = program();
  int n = 0;
  std::size_t holds = 0, claims = 0;
  for (auto _ : state) {
    request.text = edited ? fmt::format("{}// {}\n", text, n++) : text;
    engine::Session session;
    const results::Summary& summary = session.run(request);
    if (!summary.ok) return state.SkipWithError(to_string(summary.diagnostics.front()).c_str());
    claims = summary.claims.size(), holds = 0;
    for (const results::ClaimInfo& c : summary.claims) holds += c.result.verdict == claims::Verdict::holds ? 1 : 0;
  }
  state.counters["claims"] = static_cast<double>(claims);
  state.counters["hold"] = static_cast<double>(holds);
}

BENCHMARK(read)->Unit(benchmark::kMillisecond);
BENCHMARK(open_and_judge)->ArgNames({"edited"})->Arg(0)->Arg(1)->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace
