/*
The index comes from a lane that does not take part.

[lanescope]
block = 64

[buffers]
p = "f32 i:1024"
q = "f32 i:1024 = zeros"
*/
__global__ void __launch_bounds__(64) k(const float *p, float *q)
{
    int at = threadIdx.x * 3;
    if (threadIdx.x % 32 < 16)
        q[threadIdx.x] = p[__shfl_down_sync(0xffff, at, 8)];  // finds
}
