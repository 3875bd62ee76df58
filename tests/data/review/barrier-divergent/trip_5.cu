/*
A tail that has left the kernel.

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
    if (threadIdx.x >= n) return;
    s[threadIdx.x] = p[threadIdx.x];
    __syncthreads();  // finds
    q[threadIdx.x] = s[threadIdx.x ^ 1];
}
