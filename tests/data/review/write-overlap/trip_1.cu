/*
Blocks half as far apart as they should be: a copy writes the same values twice, and leaves as many elements out.

[lanescope]
grid = 16
block = 64

[buffers]
p = "f32 i:1024"
q = "f32 i:1024 = zeros"
*/
__global__ void __launch_bounds__(64) k(const float *p, float *q)
{
    p += 32 * blockIdx.x;
    q += 32 * blockIdx.x;
    q[threadIdx.x] = p[threadIdx.x];  // finds
}
