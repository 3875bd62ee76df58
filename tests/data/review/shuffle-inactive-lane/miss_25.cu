/*
Each side reads from its own lanes.

[lanescope]
block = 32

[buffers]
p = "u32 i:1024"
q = "u32 i:1024 = zeros"
*/
__global__ void __launch_bounds__(32) k(const unsigned *p, unsigned *q)
{
    unsigned lane = threadIdx.x % 32, x = p[threadIdx.x];
    if (lane < 16) x = 2 * __shfl_xor_sync(0xffffffff, x, 1);
    else x = 3 * __shfl_xor_sync(0xffffffff, x + 1, 2);
    q[threadIdx.x] = x;
}
