/* The tile is swizzled instead of padded.
[lanescope]
block = [32, 32]
[buffers]
p = "u32 i:32 j:32"
q = "u32 j:32 i:32 = zeros"
*/
__global__ void __launch_bounds__(1024) turn_swizzled(const unsigned *p, unsigned *q)
{
    __shared__ unsigned tile[32 * 32];
    const unsigned x = threadIdx.x, y = threadIdx.y;
    tile[32 * y + (x ^ y)] = p[32 * y + x];
    __syncthreads();
    const unsigned a = tile[32 * x + (x ^ y)];
    // a:
    //   thread:  i4 i3 i2 i1 i0
    //   warp:    j4 j3 j2 j1 j0
    q[32 * y + x] = a;
}
