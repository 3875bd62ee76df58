/*
Two warps store the width of the array.

[lanescope]
grid = 1
block = 64

[buffers]
p = "f32 i:1024"
q = "u32 i:64 = zeros"
*/
__global__ void __launch_bounds__(64) k(const float *p, unsigned *q)
{
    if (threadIdx.x % 32 == 7) q[1] = blockDim.x;  // finds
    if (threadIdx.x == 9) q[2] = p[3] > 0.0f;
}
