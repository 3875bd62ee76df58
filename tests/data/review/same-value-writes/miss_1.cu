/*
One thread sets the flag.

[lanescope]
grid = 1
block = 64

[buffers]
p = "f32 i:1024"
q = "u32 i:64 = zeros"
*/
__global__ void __launch_bounds__(64) k(const float *p, unsigned *q)
{
    if (threadIdx.x == 0 && p[0] > -1e30f) q[0] = 1;
}
