/*
The width keeps lanes in their own part.

[lanescope]
block = 64

[buffers]
p = "f32 i:1024"
q = "f32 i:1024 = zeros"
*/
__global__ void __launch_bounds__(64) k(const float *p, float *q)
{
    if (threadIdx.x % 32 >= 8) return;
    q[threadIdx.x] = __shfl_down_sync(0xff, p[threadIdx.x], 4, 8);
}
