/* A running sum over each half of a warp, the halves on different tasks.
[lanescope]
block = 32
[buffers]
p = "u32 n:32"
q = "u32 n:32 = zeros"
*/
__global__ void __launch_bounds__(32) running(const unsigned *p, unsigned *q)
{
    const unsigned lane = threadIdx.x;
    unsigned v = p[lane];
    for (unsigned d = 1; d < 16; d *= 2) {
        const unsigned below = __shfl_up_sync(0xffffffffu, v, d, 16);
        if ((lane & 15) >= d) v += below;
    }
    q[lane] = v;
}
