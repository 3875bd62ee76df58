/* A rotation of lanes by a power of two of the register's choice.
[lanescope]
block = [32, 4]
[buffers]
p = "f32 y:4 r:2 x:32"
q = "f32 y:4 r:2 x:32 = zeros"
*/
__global__ void __launch_bounds__(128) reorder(const float *p, float *q)
{
    const unsigned lane = threadIdx.x, warp = threadIdx.y;
    float f[2] = {p[64 * warp + lane], p[64 * warp + 32 + lane]};
    // f
    //   register:  r0
    //   thread:    x4 x3 x2 x1 x0
    //   warp:      y1 y0
    const unsigned from = ((lane & 1) << 4) | (lane & 14) | (lane >> 4);
    float g[2] = {__shfl_sync(~0u, f[0], from), __shfl_sync(~0u, f[1], from)};
    // g
    //   register:  r0               (unchanged)
    //   thread:    x0 x3 x2 x1 x4
    //   warp:      y1 y0            (unchanged)
    q[64 * warp + lane] = g[0];
    q[64 * warp + 32 + lane] = g[1];
}
