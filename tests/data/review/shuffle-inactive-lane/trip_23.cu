/*
The second warp of the block has 16 lanes only.

[lanescope]
block = 48

[buffers]
p = "u32 i:1024"
q = "u32 i:1024 = zeros"
*/
__global__ void __launch_bounds__(48) k(const unsigned *p, unsigned *q)
{
    unsigned lane = threadIdx.x % 32, x = p[threadIdx.x];
    x += __shfl_xor_sync(0xffffffff, x, 16);  // finds
    q[threadIdx.x] = x;
}
