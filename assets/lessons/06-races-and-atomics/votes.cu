/*
256 votes for 16 candidates.

[lanescope]
block = 256

[buffers]
ballots = "u32 i:256"
count = { type = "s32", axes = "c:16", init = "zeros", expect = 16 }
*/
__global__ void __launch_bounds__(256) votes(const uint *ballots, int *count)
{
    uint candidate = ballots[threadIdx.x] / 16;
    count[candidate] += 1;
}
