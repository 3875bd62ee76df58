/*
Each lane requests its partner, the lane that differs in t2, for its number.

[lanescope]
block = 32

[buffers]
partner = "u32 t:32 = zeros"
*/
__global__ void __launch_bounds__(32) find_partner(uint *partner)
{
    uint lane = threadIdx.x;
    partner[lane] = __shfl_xor_sync(0xffffffff, lane, 4);
}
