// Bins of a list of keys, straight in global memory.
#include <vector>
#include <cstdlib>

__global__ void __launch_bounds__(256) bin(const int *keys, int count, int *bins, int bin_count)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {
        const int b = keys[i] % bin_count;
        atomicAdd(bins + b, 1);
    }
}

int main()
{
    const int count = 2000, bin_count = 16;
    std::vector<int> keys(count);
    for (auto &k : keys) k = rand();
    int *d_keys, *d_bins;
    cudaMalloc(&d_keys, count * sizeof(int));
    cudaMalloc(&d_bins, bin_count * sizeof(int));
    cudaMemcpy(d_keys, keys.data(), count * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemset(d_bins, 0, bin_count * sizeof(int));
    bin<<<2, 256>>>(d_keys, count, d_bins, bin_count);
    cudaDeviceSynchronize();
    cudaFree(d_keys);
    cudaFree(d_bins);
    return 0;
}
