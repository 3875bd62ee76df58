/*
Coalesced groups ask for the mask themselves.

[lanescope]
block = 32

[buffers]
p = "u32 i:1024"
q = "u32 i:1024 = zeros"
*/
#include <cooperative_groups.h>
__global__ void __launch_bounds__(32) k(const unsigned *p, unsigned *q)
{
    unsigned x = p[threadIdx.x];
    if (x % 3 == 0) {
        cooperative_groups::coalesced_group g = cooperative_groups::coalesced_threads();
        if (g.size() == 32 || g.thread_rank() == 0) q[threadIdx.x] = g.shfl(x, 0);
    }
}
