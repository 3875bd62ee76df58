/*
The slots of increment_each_lane with one atomic for all lanes that need one: the first of them adds their number, a
shuffle gives the old value to the others, and each adds the number of lanes before it. The mask is that of the lanes
which run together there; in increment_by_group a group has it.

[lanescope]
grid = 8
block = 128

[buffers]
x = "s32 i:1024 = random 5"
slots = "s32 i:1024 = zeros"
counter = "s32 i:1 = zeros"
*/
__device__ int next_slot(int *counter)
{
    uint mask = __activemask(), lane = threadIdx.x % 32;
    int leader = __ffs(mask) - 1, before = __popc(mask & ((1u << lane) - 1)), first = 0;
    if (before == 0) first = atomicAdd(counter, __popc(mask));
    return __shfl_sync(mask, first, leader) + before;
}

__global__ void __launch_bounds__(128) increment_by_ballot(const int *x, int *slots, int *counter, uint n)
{
    uint i = 128 * blockIdx.x + threadIdx.x;
    // lanescope: expect divergence, partial-lines (the slots of a warp begin anywhere)
    if (i < n && x[i] > 0) slots[next_slot(counter)] += 1;
}
