/*
All blocks set one flag.

[lanescope]
grid = 4
block = 32

[buffers]
p = "f32 i:1024"
q = "u32 i:64 = zeros"
*/
__global__ void __launch_bounds__(32) k(const float *p, unsigned *q)
{
    if (threadIdx.x == 0 && p[blockIdx.x] > -1e30f) q[0] = 1;  // finds
}
