/*
Blurs of doubles: straight from global memory, from a copy of the block's elements in shared memory, and two of them in
one pass. The array goes on with its last value beyond either end.

[lanescope]
kernel = "blur_fused"
grid = 8
block = 128

[buffers]
in = "f64 i:1000"
out = "f64 i:1000 = zeros"
*/
__device__ double blurred(const double *in, uint i, uint n)
{
    return 0.25 * (in[max(i, 1) - 1] + 2 * in[i] + in[min(i + 1, n - 1)]);
}

__global__ void __launch_bounds__(128) blur_plain(const double *in, double *out, uint n)
{
    uint i = 128 * blockIdx.x + threadIdx.x;
    if (i < n) out[i] = blurred(in, i, n);
}

__global__ void __launch_bounds__(128) blur_shared(const double *in, double *out, uint n)
{
    __shared__ double near[130];
    uint i = 128 * blockIdx.x + threadIdx.x, k = threadIdx.x + 1;
    near[k] = in[min(i, n - 1)];
    if (threadIdx.x == 0) {
        near[0] = in[max(i, 1) - 1];
        near[129] = in[min(i + 128, n - 1)];
    }
    __syncthreads();
    if (i < n) out[i] = 0.25 * (near[k - 1] + 2 * near[k] + near[k + 1]);
}

__global__ void __launch_bounds__(128) blur_fused(const double *in, double *out, uint n)
{
    __shared__ double once[130];
    uint i = 128 * blockIdx.x + threadIdx.x, k = threadIdx.x + 1;
    once[k] = blurred(in, min(i, n - 1), n);
    if (threadIdx.x == 0) {
        once[0] = blurred(in, max(i, 1) - 1, n);
        once[129] = blurred(in, min(i + 128, n - 1), n);
    }
    __syncthreads();
    if (i < n) out[i] = 0.25 * (once[k - 1] + 2 * once[k] + once[k + 1]);
}
