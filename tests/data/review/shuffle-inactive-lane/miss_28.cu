/*
Three cases, three shuffles that join.

[lanescope]
block = 32

[buffers]
p = "u32 i:1024"
q = "u32 i:1024 = zeros"
*/
__global__ void __launch_bounds__(32) k(const unsigned *p, unsigned *q)
{
    unsigned lane = threadIdx.x % 32, x = p[threadIdx.x];
    if (x % 3 == 0) x = 2 * __shfl_xor_sync(0xffffffff, x, 1);
    else if (x % 3 == 1) x = 3 * __shfl_xor_sync(0xffffffff, x + 1, 1);
    else x = 5 * __shfl_xor_sync(0xffffffff, x + 2, 1);
    q[threadIdx.x] = x;
}
