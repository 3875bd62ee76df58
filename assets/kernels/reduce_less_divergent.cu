/*
The additions of reduce_neighboured by other threads: thread t adds at 2^(k+1) t, so that the working threads lie side
by side and whole warps have nothing to do: 1,276 warp instructions, with 90 % of the lanes at work. The elements still
lie 2^(k+1) apart, and a load touches ever more sectors for ever less use (498 sectors, no fewer than there);
reduce_interleaved avoids that.

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
__global__ void __launch_bounds__(128) reduce_less_divergent(uint *p, uint *q, uint n)
{
    uint t = threadIdx.x, first = 128 * blockIdx.x;

    // lanescope: expect divergence, partial-lines
    for (uint distance = 1; distance < 128; distance *= 2) {
        uint at = 2 * distance * t, i = first + at;
        if (at < 128 && i + distance < n) p[i] += p[i + distance];
        __syncthreads();
    }

    if (t == 0) q[blockIdx.x] = p[first];
}
