/*
A tail that comes to the barrier, too.

[lanescope]
grid = 1
block = 64

[buffers]
p = "f32 i:1024"
q = "f32 i:1024 = zeros"
*/
constexpr unsigned n = 48;
__global__ void __launch_bounds__(64) k(const float *p, float *q)
{
    __shared__ float s[64];
    if (threadIdx.x < n) s[threadIdx.x] = p[threadIdx.x];
    __syncthreads();
    if (threadIdx.x < n) q[threadIdx.x] = s[n - 1 - threadIdx.x];
}
