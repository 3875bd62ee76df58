/*
The mask is written down and nothing is concluded from it.

[lanescope]
block = 32

[buffers]
p = "u32 i:1024"
q = "u32 i:1024 = zeros"
*/
__global__ void __launch_bounds__(32) k(const unsigned *p, unsigned *q)
{
    unsigned x = p[threadIdx.x];
    if (x % 2) q[threadIdx.x] = __activemask();
}
