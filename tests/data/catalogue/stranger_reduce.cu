// Adds up a large vector on the device: each block leaves one partial sum, the host adds those.
#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <vector>

#define CHECK(call)                                                                            \
    do {                                                                                       \
        cudaError_t status = (call);                                                           \
        if (status != cudaSuccess) {                                                           \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(status));    \
            exit(EXIT_FAILURE);                                                                \
        }                                                                                      \
    } while (0)

static const int kThreads = 128;

__device__ float warpTotal(float value)
{
    for (int distance = warpSize / 2; distance > 0; distance >>= 1)
        value += __shfl_down_sync(0xffffffffu, value, distance);
    return value;
}

__global__ void partialSums(const float *input, float *partial, int n)
{
    __shared__ float warpSums[kThreads / 32];

    float mine = 0.0f;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        mine += input[i];

    mine = warpTotal(mine);
    if (threadIdx.x % 32 == 0)
        warpSums[threadIdx.x / 32] = mine;
    __syncthreads();

    if (threadIdx.x == 0) {
        float total = 0.0f;
        for (int w = 0; w < kThreads / 32; ++w)
            total += warpSums[w];
        partial[blockIdx.x] = total;
    }
}

struct Timer {
    cudaEvent_t begin, end;
    Timer() { cudaEventCreate(&begin); cudaEventCreate(&end); }
    float stop() { float ms = 0; cudaEventRecord(end); cudaEventSynchronize(end); cudaEventElapsedTime(&ms, begin, end); return ms; }
};

int main(int argc, char **argv)
{
    const int n = argc > 1 ? atoi(argv[1]) : 1 << 20;
    const int blocks = 64;
    std::vector<float> host(n);
    for (int i = 0; i < n; ++i)
        host[i] = std::sin(0.001f * i);

    float *input = nullptr, *partial = nullptr;
    CHECK(cudaMalloc(&input, n * sizeof(float)));
    CHECK(cudaMalloc(&partial, blocks * sizeof(float)));
    CHECK(cudaMemcpy(input, host.data(), n * sizeof(float), cudaMemcpyHostToDevice));

    Timer timer;
    partialSums<<<blocks, kThreads>>>(input, partial, n);
    CHECK(cudaGetLastError());

    std::vector<float> sums(blocks);
    CHECK(cudaMemcpy(sums.data(), partial, blocks * sizeof(float), cudaMemcpyDeviceToHost));
    double total = 0;
    for (float s : sums) total += s;
    std::cout << "sum of " << n << " numbers: " << total << " in " << timer.stop() << " ms" << std::endl;
    printf("%d blocks of %d threads\n", blocks, kThreads);

    CHECK(cudaFree(input));
    CHECK(cudaFree(partial));
    return 0;
}
