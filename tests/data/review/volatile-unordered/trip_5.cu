/*
Warps of a block exchange volatile values of shared memory with no barrier.

[lanescope]
block = 64

[buffers]
p = "f32 i:1024"
q = "f32 i:1024 = zeros"
n = "u32 i:64 = zeros"
*/
__global__ void __launch_bounds__(64) k(const float *p, float *q, unsigned *n)
{
    __shared__ volatile float s[64];
    s[threadIdx.x] = p[threadIdx.x];
    q[threadIdx.x] = s[63 - threadIdx.x];  // finds
}
