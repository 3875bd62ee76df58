/*
The branch of branch_divergent, decided by the number of the warp: even warps take one side and odd warps the other, no
warp executes both, and no lane is ever inactive: 244 warp instructions. Which elements get which side has changed as
well, so data may have to be arranged for it.

[lanescope]
grid = 2
block = 64
args = { rounds = 8 }

[buffers.q]
type = "u32"
axes = "i:128"
init = "zeros"
expect = "sha256 e2670d705af6deeb9a1825e8f7ce345b886ecf32e46e644d569e2c99d16d31cc"
*/
__global__ void __launch_bounds__(64) branch_by_warp(uint *q, uint rounds)
{
    uint i = 64 * blockIdx.x + threadIdx.x, x = i;

    if (i / 32 % 2 == 0) {
        #pragma unroll 1
        for (uint k = 0; k < rounds; k++) x = 5 * x + 1;
    } else {
        #pragma unroll 1
        for (uint k = 0; k < rounds; k++) x = (x ^ x >> 3) + k;
    }

    q[i] = x;
}
