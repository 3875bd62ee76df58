/*
Both sides of a branch sum over the warp, each in its own copy of the function: the shuffles of both join.

[lanescope]
block = 32

[buffers]
p = "u32 i:1024"
q = "u32 i:1024 = zeros"
*/
__device__ __forceinline__ unsigned warp_sum(unsigned v)
{
    for (unsigned mask = 16; mask > 0; mask /= 2) v += __shfl_xor_sync(0xffffffff, v, mask);
    return v;
}

__global__ void __launch_bounds__(32) k(const unsigned *p, unsigned *q)
{
    unsigned lane = threadIdx.x % 32, x = p[threadIdx.x];
    if (lane < 12) x = warp_sum(x);
    else x = 3 * warp_sum(x + 100);
    q[threadIdx.x] = x;
}
