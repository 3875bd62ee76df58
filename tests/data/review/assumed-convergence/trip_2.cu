/*
Lanes that were together are taken to be so one statement later.

[lanescope]
block = 32

[buffers]
p = "u32 i:1024"
q = "u32 i:1024 = zeros"
*/
__global__ void __launch_bounds__(32) k(const unsigned *p, unsigned *q)
{
    unsigned x = p[threadIdx.x];
    unsigned mask = __activemask();
    q[threadIdx.x] = x;
    if (mask == ~0u) q[threadIdx.x] += x;  // finds
}
