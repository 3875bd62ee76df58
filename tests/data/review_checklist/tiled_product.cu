// C = A B for square matrices, tiles of 32, with its own driver.
#include <cuda_runtime.h>
#include <vector>

constexpr int tile = 32;

__global__ void __launch_bounds__(tile * tile)
multiply(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C, int n)
{
    __shared__ float as[tile][tile];
    __shared__ float bs[tile][tile];
    const int col = blockIdx.x * tile + threadIdx.x;
    const int row = blockIdx.y * tile + threadIdx.y;
    float sum = 0.0f;
    for (int k = 0; k < n; k += tile) {
        as[threadIdx.y][threadIdx.x] = A[row * n + k + threadIdx.x];
        bs[threadIdx.y][threadIdx.x] = B[(k + threadIdx.y) * n + col];
        __syncthreads();
        for (int i = 0; i < tile; ++i) sum += as[threadIdx.y][i] * bs[i][threadIdx.x];
        __syncthreads();
    }
    C[row * n + col] = sum;
}

int main()
{
    const int n = 64;
    std::vector<float> a(n * n, 1.0f), b(n * n, 2.0f);
    float *da, *db, *dc;
    cudaMalloc(&da, n * n * sizeof(float));
    cudaMalloc(&db, n * n * sizeof(float));
    cudaMalloc(&dc, n * n * sizeof(float));
    cudaMemcpy(da, a.data(), n * n * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemcpy(db, b.data(), n * n * sizeof(float), cudaMemcpyHostToDevice);
    multiply<<<dim3(n / tile, n / tile), dim3(tile, tile)>>>(da, db, dc, n);
    std::vector<float> c(n * n);
    cudaMemcpy(c.data(), dc, n * n * sizeof(float), cudaMemcpyDeviceToHost);
    cudaFree(da); cudaFree(db); cudaFree(dc);
    return 0;
}
