/*
The sum of reduce_neighboured with other pairs: the distance starts at half the block and is halved each round. The
working threads lie side by side, as in reduce_less_divergent, and so do their elements: its loads request 146 sectors.
reduce_unrolled2 lets a block begin with two elements a thread.

[lanescope]
grid = 4
block = 128
args = { n = 500 }

[buffers]
p = "u32 i:512"

[buffers.q]
type = "u32"
axes = "b:4"
init = "zeros"
expect = "sha256 84956086d4b08c0f4b16d5e9283ef8f1261e57837bc80f57d1fa07c6f8fac116"
*/
__global__ void __launch_bounds__(128) reduce_interleaved(uint *p, uint *q, uint n)
{
    uint t = threadIdx.x, i = 128 * blockIdx.x + t;

    // lanescope: expect divergence (in the rounds of the last warp)
    for (uint distance = 64; distance > 0; distance /= 2) {
        if (t < distance && i + distance < n) p[i] += p[i + distance];
        __syncthreads();
    }

    if (t == 0) q[blockIdx.x] = p[i];
}
