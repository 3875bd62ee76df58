/*
Every block clears the same element.

[lanescope]
grid = 3
block = 32

[buffers]
p = "f32 i:1024"
q = "u32 i:64 = zeros"
*/
__global__ void __launch_bounds__(32) k(const float *p, unsigned *q)
{
    if (threadIdx.x == 3) q[5] = 0;  // finds
    if (threadIdx.x == 0) atomicAdd(&q[6], p[0] > 0.0f ? 1u : 0u);
}
