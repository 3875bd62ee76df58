/*
The lane that all read from is on the other side, at a shuffle that joins.

[lanescope]
block = 32

[buffers]
p = "u32 i:1024"
q = "u32 i:1024 = zeros"
*/
__global__ void __launch_bounds__(32) k(const unsigned *p, unsigned *q)
{
    unsigned lane = threadIdx.x % 32, x = p[threadIdx.x];
    if (lane == 0) x = 5 * __shfl_sync(0xffffffff, x, 0);
    else x = 7 + __shfl_sync(0xffffffff, x + 1, 0);
    q[threadIdx.x] = x;
}
