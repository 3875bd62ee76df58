/*
A mask that is kept over the rounds of a loop.

[lanescope]
block = 32

[buffers]
p = "u32 i:1024"
q = "u32 i:1024 = zeros"
*/
__global__ void __launch_bounds__(32) k(const unsigned *p, unsigned *q)
{
    unsigned x = p[threadIdx.x], mask = __activemask();
    #pragma unroll 1
    for (unsigned round = 0; round < x % 5; ++round) {
        if (mask != 0xffff) q[threadIdx.x] += round;  // finds
        mask = __activemask();
    }
}
