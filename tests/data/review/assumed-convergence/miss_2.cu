/*
One atomic for those who are there: their bits are counted and ranked.

[lanescope]
block = 32

[buffers]
p = "u32 i:1024"
q = "u32 i:1024 = zeros"
*/
__global__ void __launch_bounds__(32) k(const unsigned *p, unsigned *q)
{
    unsigned x = p[threadIdx.x];
    if (x % 3 == 0) {
        unsigned here = __activemask(), lane = threadIdx.x % 32, first = 0;
        unsigned rank = __popc(here & ((1u << lane) - 1));
        if (rank == 0) first = atomicAdd(&q[1023], __popc(here));
        first = __shfl_sync(here, first, __ffs(here) - 1);
        q[first + rank] = x;
    }
}
