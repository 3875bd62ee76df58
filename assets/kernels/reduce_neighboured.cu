/*
A sum in place in global memory, neighbours first: in round k, threads whose number is a multiple of 2^(k+1) add the
element 2^k further up. Half of the lanes work in the first round, a quarter in the second; up to distance 16 every
warp has some that work, beyond it every second, fourth, .. warp: 1,564 warp instructions are predicted, with 69 % of
the lanes at work. One sum a block is left, and the host adds them. reduce_less_divergent lets side by side threads do
the same additions; reduce_interleaved adds other pairs.

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
__global__ void __launch_bounds__(128) reduce_neighboured(uint *p, uint *q, uint n)
{
    uint t = threadIdx.x, i = 128 * blockIdx.x + t;

    // lanescope: expect divergence, partial-lines
    for (uint distance = 1; distance < 128; distance *= 2) {
        if (t % (2 * distance) == 0 && i + distance < n) p[i] += p[i + distance];
        __syncthreads();
    }

    if (t == 0) q[blockIdx.x] = p[i];
}
