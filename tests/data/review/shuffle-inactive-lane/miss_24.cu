/*
Votes of both sides take nothing from a single lane.

[lanescope]
block = 32

[buffers]
p = "u32 i:1024"
q = "u32 i:1024 = zeros"
*/
__global__ void __launch_bounds__(32) k(const unsigned *p, unsigned *q)
{
    unsigned lane = threadIdx.x % 32, x = p[threadIdx.x];
    if (lane < 12) x = __ballot_sync(0xffffffff, x % 2);
    else x = __ballot_sync(0xffffffff, x % 3) + 1;
    q[threadIdx.x] = x;
}
