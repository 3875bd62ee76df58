/* Registers are filled in the order of a Gray code.
[lanescope]
block = 96
[buffers]
p = "s32 w:3 g:4 l:32"
q = "s32 w:3 g:4 l:32 = zeros"
*/
__global__ void __launch_bounds__(96) gray(const int *p, int *q)
{
    const int lane = threadIdx.x & 31;
    const int warp = threadIdx.x >> 5;
    int held[4];
    #pragma unroll
    for (int k = 0; k < 4; ++k) held[k] = p[128 * warp + 32 * (k ^ (k >> 1)) + lane];
    // held:
    //   register:  g1 g1+g0
    //   thread:    l4 l3 l2 l1 l0
    //   warp:      w1 w0
    #pragma unroll
    for (int k = 0; k < 4; ++k) q[128 * warp + 32 * k + lane] = held[k];
}
