/*
The mask comes from a vote of all lanes before they part.

[lanescope]
block = 32

[buffers]
p = "u32 i:1024"
q = "u32 i:1024 = zeros"
*/
__global__ void __launch_bounds__(32) k(const unsigned *p, unsigned *q)
{
    unsigned x = p[threadIdx.x];
    unsigned mask = __ballot_sync(0xffffffff, x % 2 == 0);
    if (mask == 0xffffffff) q[threadIdx.x] = x;
}
