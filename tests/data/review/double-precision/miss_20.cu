/*
A float that a loop sums is converted for printf where the loop ends, before the line of the call.

[lanescope]
block = 64

[buffers]
q = "f32 i:64 = zeros"
*/
#include <cooperative_groups.h>
#include <cstdio>

__global__ void __launch_bounds__(64) k(float *q)
{
    if (threadIdx.x % 2 == 0) {
        cooperative_groups::coalesced_group active = cooperative_groups::coalesced_threads();
        float sum = 1.0f;
        for (int o = active.size() / 2; o > 0; o /= 2) sum += active.shfl_down(sum, o);  // near
        if (active.thread_rank() == 0) {
            printf("%f\n", sum);
        }
    }
}
