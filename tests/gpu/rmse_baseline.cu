// The sum of squared differences by a library: CUB's transform and reduce. Built and run by tests/gpu/run.sh
// where there is nvcc; prints one line of JSON.
//
//   rmse_baseline ELEMENTS

#include <thrust/iterator/counting_iterator.h>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cub/device/device_reduce.cuh>
#include <vector>

namespace {

struct SquaredDifference {
  const float *a, *b;
  __device__ float operator()(unsigned i) const {
    const float d = a[i] - b[i];
    return d * d;
  }
};
struct Plus {
  __device__ float operator()(float x, float y) const { return x + y; }
};

void must(cudaError_t e) {
  if (e == cudaSuccess) return;
  std::fprintf(stderr, "rmse_baseline: %s\n", cudaGetErrorString(e));
  std::exit(1);
}

}  // namespace

int main(int argc, char** argv) {
  const unsigned n = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 2048 * 2048;
  // Every fourth difference is 1, so the sum is known and every partial sum is exact.
  std::vector<float> ones(n);
  for (unsigned i = 0; i < n; i += 4) ones[i] = 1;
  float *a = nullptr, *b = nullptr, *sum = nullptr;
  must(cudaMalloc(&a, n * sizeof(float)));
  must(cudaMalloc(&b, n * sizeof(float)));
  must(cudaMalloc(&sum, sizeof(float)));
  must(cudaMemcpy(a, ones.data(), n * sizeof(float), cudaMemcpyHostToDevice));
  must(cudaMemset(b, 0, n * sizeof(float)));

  const thrust::counting_iterator<unsigned> indices(0);
  void* scratch = nullptr;
  std::size_t scratch_bytes = 0;
  const auto reduce = [&] {
    return cub::DeviceReduce::TransformReduce(scratch, scratch_bytes, indices, sum, static_cast<int>(n), Plus{},
                                              SquaredDifference{a, b}, 0.0f);
  };
  must(reduce());  // requests the scratch bytes
  must(cudaMalloc(&scratch, scratch_bytes));

  cudaEvent_t begin, end;
  must(cudaEventCreate(&begin));
  must(cudaEventCreate(&end));
  std::vector<float> times;
  for (int i = 0; i < 35; ++i) {
    float milliseconds = 0;
    must(cudaEventRecord(begin));
    must(reduce());
    must(cudaEventRecord(end));
    must(cudaEventSynchronize(end));
    must(cudaEventElapsedTime(&milliseconds, begin, end));
    if (i >= 5) times.push_back(1000 * milliseconds);
  }
  float result = 0;
  must(cudaMemcpy(&result, sum, sizeof result, cudaMemcpyDeviceToHost));
  std::sort(times.begin(), times.end());
  std::printf("{\"elements\": %u, \"median_us\": %.3f, \"spread_us\": %.3f, \"sum\": %.1f, \"expected\": %.1f}\n", n,
              times[times.size() / 2], times[times.size() * 3 / 4] - times[times.size() / 4], result,
              (n + 3) / 4 * 1.0);
  return result == static_cast<float>((n + 3) / 4) ? 0 : 1;
}
