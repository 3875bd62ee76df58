/* Sixteen warps, each with a slice of 64.
[lanescope]
block = 512
[buffers]
p = "u32 w:16 s:64"
q = "u32 w:16 s:64 = zeros"
*/
__global__ void __launch_bounds__(512) slices(const unsigned *p, unsigned *q)
{
    const unsigned warp = threadIdx.x >> 5 & 15;
    const unsigned lane = threadIdx.x & 31;
    uint2 pair = ((const uint2 *)p)[32 * warp + lane];
    // pair:
    //   register:  s0
    //   thread:    s5 s4 s3 s2 s1
    //   warp:      w3 w2 w1 w0
    ((uint2 *)q)[threadIdx.x] = pair;
}
