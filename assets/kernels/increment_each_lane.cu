/*
Each positive element takes the next slot of a list: an atomic for each of them, all at one counter. Every slot is
taken once, in an order that is open. increment_by_ballot and increment_by_group take the slots of a whole warp with
one atomic.

[lanescope]
grid = 8
block = 128

[buffers]
x = "s32 i:1024 = random 5"
slots = "s32 i:1024 = zeros"
counter = "s32 i:1 = zeros"
*/
__device__ int next_slot(int *counter) { return atomicAdd(counter, 1); }

__global__ void __launch_bounds__(128) increment_each_lane(const int *x, int *slots, int *counter, uint n)
{
    uint i = 128 * blockIdx.x + threadIdx.x;
    // lanescope: expect divergence, partial-lines (the slots of a warp begin anywhere)
    if (i < n && x[i] > 0) slots[next_slot(counter)] += 1;
}
