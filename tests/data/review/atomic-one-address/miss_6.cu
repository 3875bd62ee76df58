/*
Four lanes of a warp remain: five shuffles would cost more than three turns.

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
    for (int d = 16; d > 2; d /= 2) x += __shfl_down_sync(0xffffffff, x, d);
    if (threadIdx.x % 32 < 4) atomicAdd(q, x);  // near
}
