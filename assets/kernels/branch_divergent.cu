/*
Even and odd lanes take different sides of a branch, so that every warp executes both, one after the other, each with
half of its lanes: 444 warp instructions are predicted, with 58 % of the lanes at work. Each side is a loop that the
compiler cannot merge into one: the machine code does branch. branch_by_warp gives the sides to whole warps;
branch_predicated has sides so short that there is no branch at all.

[lanescope]
grid = 2
block = 64
args = { rounds = 8 }

[buffers.q]
type = "u32"
axes = "i:128"
init = "zeros"
expect = "sha256 023e8c15cf370e172facc28369af2eb54fbd786389a7f3335d6e5de67f597293"
*/
__global__ void __launch_bounds__(64) branch_divergent(uint *q, uint rounds)
{
    uint i = 64 * blockIdx.x + threadIdx.x, x = i;

    // lanescope: expect divergence
    if (i % 2 == 0) {
        #pragma unroll 1
        for (uint k = 0; k < rounds; k++) x = 5 * x + 1;
    } else {
        #pragma unroll 1
        for (uint k = 0; k < rounds; k++) x = (x ^ x >> 3) + k;
    }

    q[i] = x;
}
