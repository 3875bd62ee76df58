/*
The sum of tail_synced without its barriers: right as long as all lanes execute each instruction together, which
nothing guarantees. Every step is a race between a lane that loads and another one that stores. `volatile` keeps the
compiler from holding the sums in registers, but orders no lanes. With -DKEEP= the word `volatile` is left out: the compiler
drops stores that the thread itself does not read back, and lanes read outdated sums.

[lanescope]
block = 32

[buffers]
p = "u32 i:48"

[buffers.q]
type = "u32"
axes = "i:1"
init = "zeros"
expect = "sha256 2fce2cebc4d29f5ebbaa9dfe3909dad279f64813f47ebdc8f433843bf721ee10"
*/
#ifndef KEEP
#define KEEP volatile
#endif

__global__ void __launch_bounds__(32) tail_unsynced(const uint *p, uint *q)
{
    __shared__ KEEP uint sums[64];
    uint t = threadIdx.x;

    sums[t] = p[t];
    sums[t + 32] = t < 16 ? p[t + 32] : 0;
    __syncwarp();

    // lanescope: expect warp-sync-missing
    uint sum = sums[t] + sums[t + 32];
    #pragma unroll
    for (uint distance = 16; distance > 0; distance /= 2) {
        sums[t] = sum;
        sum += sums[t + distance];
    }

    if (t == 0) q[0] = sum;
}
