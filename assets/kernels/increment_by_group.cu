/*
The slots of increment_each_lane with one atomic for a group of lanes: coalesced_threads() are the lanes that run
together, their rank and number come with them. increment_by_ballot writes out what the group does.

[lanescope]
grid = 8
block = 128

[buffers]
x = "s32 i:1024 = random 5"
slots = "s32 i:1024 = zeros"
counter = "s32 i:1 = zeros"
*/
#include <cooperative_groups.h>

__device__ int next_slot(int *counter)
{
    cooperative_groups::coalesced_group group = cooperative_groups::coalesced_threads();
    int first = 0;
    if (group.thread_rank() == 0) first = atomicAdd(counter, group.size());
    return group.shfl(first, 0) + group.thread_rank();
}

__global__ void __launch_bounds__(128) increment_by_group(const int *x, int *slots, int *counter, uint n)
{
    uint i = 128 * blockIdx.x + threadIdx.x;
    // lanescope: expect divergence, partial-lines (the slots of a warp begin anywhere)
    if (i < n && x[i] > 0) slots[next_slot(counter)] += 1;
}
