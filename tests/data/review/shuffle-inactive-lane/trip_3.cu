/*
The mask names the lanes of the branch, and the source is outside.

[lanescope]
block = 64

[buffers]
p = "f32 i:1024"
q = "f32 i:1024 = zeros"
*/
__global__ void __launch_bounds__(64) k(const float *p, float *q)
{
    float x = p[threadIdx.x];
    if (threadIdx.x % 2 == 0)
        x = __shfl_sync(0x55555555, x, threadIdx.x % 32 + 1);  // finds
    q[threadIdx.x] = x;
}
