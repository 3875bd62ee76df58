/* A 32 x 32 tile is turned in shared memory, one column of padding.
[lanescope]
block = [32, 8]
[buffers]
p = "f32 i:32 j:32"
q = "f32 j:32 i:32 = zeros"
*/
__global__ void __launch_bounds__(256) turn(const float *p, float *q)
{
    __shared__ float tile[32][33];
    const int lane = threadIdx.x, warp = threadIdx.y;
    for (int k = 0; k < 4; ++k)
        tile[8 * k + warp][lane] = p[(8 * k + warp) * 32 + lane];
    __syncthreads();
    float v[4];
    for (int k = 0; k < 4; ++k)
        v[k] = tile[lane][8 * k + warp];
    // v, after the tile was turned:
    //   register:  j4 j3
    //   thread:    i4 i3 i2 i1 i0
    //   warp:      j2 j1 j0
    for (int k = 0; k < 4; ++k)
        q[(8 * k + warp) * 32 + lane] = v[k];
}
