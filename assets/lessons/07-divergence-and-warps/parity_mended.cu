/*
Even elements and odd elements are computed by different loops.

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
__global__ void __launch_bounds__(64) parity(uint *q, uint rounds)
{
    uint i = 64 * blockIdx.x + 2 * (threadIdx.x % 32) + threadIdx.x / 32, x = i;

    if (i % 2 == 0) {
        #pragma unroll 1
        for (uint k = 0; k < rounds; k++) x = 5 * x + 1;
    } else {
        #pragma unroll 1
        for (uint k = 0; k < rounds; k++) x = (x ^ x >> 3) + k;
    }

    q[i] = x;
}
