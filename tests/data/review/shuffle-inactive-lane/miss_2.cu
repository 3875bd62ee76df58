/*
Some read from outside, and do not use it.

[lanescope]
block = 64

[buffers]
p = "f32 i:1024"
q = "f32 i:1024 = zeros"
*/
__global__ void __launch_bounds__(64) k(const float *p, float *q)
{
    if (threadIdx.x % 32 >= 16) return;
    float x = p[threadIdx.x], y = __shfl_down_sync(0xffff, x, 1);
    q[threadIdx.x] = threadIdx.x % 32 < 15 ? y : x;
}
