/*
The inclusive prefix sum of a warp: in each step a lane adds what the lane 1, 2, 4, 8, 16 below holds.

[lanescope]
block = 32

[buffers]
p = "u32 i:32 = 1"

[buffers.q]
type = "u32"
axes = "i:32"
init = "zeros"
expect = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32]
*/
__global__ void __launch_bounds__(32) scan(const uint *p, uint *q)
{
    uint lane = threadIdx.x, sum = p[lane];

    for (uint distance = 1; distance < 32; distance *= 2) {
        uint below = __shfl_up_sync(0xffffffff, sum, distance);
        if (lane >= distance) sum += below;
    }

    q[lane] = sum;
}
