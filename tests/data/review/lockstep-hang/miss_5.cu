/*
A loop of atomics, none of which waits.

[lanescope]
block = 32

[buffers]
p = "f32 i:1024"
q = "f32 i:1024 = zeros"
n = "u32 i:64 = zeros"
*/
__global__ void __launch_bounds__(32) k(const float *p, float *q, unsigned *n)
{
    for (int i = 0; i < 8; ++i)
        atomicAdd(&n[i], 1u);
    q[threadIdx.x] = p[threadIdx.x];
}
