/*
The steps of rmse_atomic, rmse_private, rmse_modulo and rmse_contiguous for floats and any power of two threads a block;
in rmse_scattered the working threads lie side by side, and what they add lies ever further apart.

[lanescope]
kernel = "rmse_scattered"
grid = 4
block = 256
shared = 1024

[buffers]
a = "f32 i:5000"
b = "f32 i:5000"
sum = "f32 i:1 = zeros"
*/
__device__ float own_sum(const float *a, const float *b, uint n)
{
    float own = 0;
    #pragma unroll 1
    for (uint i = blockDim.x * blockIdx.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
        float d = a[i] - b[i];
        own += d * d;
    }
    return own;
}

__global__ void rmse_atomic(const float *a, const float *b, float *sum, uint n)
{
    #pragma unroll 1
    for (uint i = blockDim.x * blockIdx.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
        float d = a[i] - b[i];
        atomicAdd(sum, d * d);
    }
}

__global__ void rmse_private(const float *a, const float *b, float *sum, uint n)
{
    atomicAdd(sum, own_sum(a, b, n));
}

__global__ void rmse_modulo(const float *a, const float *b, float *sum, uint n)
{
    extern __shared__ float partial[];
    uint t = threadIdx.x;
    partial[t] = own_sum(a, b, n);
    for (uint d = 1; d < blockDim.x; d *= 2) {
        __syncthreads();
        if (t % (2 * d) == 0) partial[t] += partial[t + d];
    }
    if (t == 0) atomicAdd(sum, partial[0]);
}

__global__ void rmse_scattered(const float *a, const float *b, float *sum, uint n)
{
    extern __shared__ float partial[];
    partial[threadIdx.x] = own_sum(a, b, n);
    for (uint d = 1; d < blockDim.x; d *= 2) {
        __syncthreads();
        uint at = 2 * d * threadIdx.x;
        if (at < blockDim.x) partial[at] += partial[at + d];
    }
    if (threadIdx.x == 0) atomicAdd(sum, partial[0]);
}

__global__ void rmse_contiguous(const float *a, const float *b, float *sum, uint n)
{
    extern __shared__ float partial[];
    uint t = threadIdx.x;
    partial[t] = own_sum(a, b, n);
    for (uint half = blockDim.x / 2; half > 0; half /= 2) {
        __syncthreads();
        if (t < half) partial[t] += partial[t + half];
    }
    if (t == 0) atomicAdd(sum, partial[0]);
}
