/*
The last five steps of a sum in shared memory by one warp. Between a load and the store that replaces what was loaded,
and between that store and the next load, is a barrier of the warp: lanes read what other lanes write. tail_unsynced
lacks them, and assume_order writes the same in the short form that most old code has.

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
__global__ void __launch_bounds__(32) tail_synced(const uint *p, uint *q)
{
    __shared__ uint sums[64];
    uint t = threadIdx.x;

    sums[t] = p[t];
    sums[t + 32] = t < 16 ? p[t + 32] : 0;
    // lanescope: expect barrier-unneeded, narrow-access (sums of other warps would need it: here each lane reads its own)
    __syncwarp();

    uint sum = sums[t] + sums[t + 32];
    #pragma unroll
    for (uint distance = 16; distance > 0; distance /= 2) {
        __syncwarp();
        sums[t] = sum;
        __syncwarp();
        sum += sums[t + distance];
    }

    if (t == 0) q[0] = sum;
}
