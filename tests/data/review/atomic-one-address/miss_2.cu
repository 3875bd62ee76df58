/*
The warp adds up its values; one lane executes the atomic.

[lanescope]
grid = 2
block = 64

[buffers]
p = "f32 i:128"
q = "f32 i:4 = zeros"
*/
__global__ void __launch_bounds__(64) k(const float *p, float *q)
{
    float x = p[64 * blockIdx.x + threadIdx.x];
    for (int d = 16; d > 0; d /= 2) x += __shfl_down_sync(0xffffffff, x, d);
    if (threadIdx.x % 32 == 0) atomicAdd(q, x);  // near
}
