/* Warps leave their sums in shared memory and the first warp adds them.
[lanescope]
grid = 2
block = 256
[buffers]
p = "f32 n:512 = random 6"
q = "f32 n:2 = zeros"
*/
__global__ void __launch_bounds__(256) total(const float *p, float *q)
{
    __shared__ float sums[8];
    const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    float v = p[256 * blockIdx.x + threadIdx.x];
    for (unsigned d = 16; d > 0; d >>= 1) v += __shfl_down_sync(0xffffffff, v, d);
    if (lane == 0) sums[warp] = v;
    __syncthreads();
    if (warp == 0) {
        v = lane < 8 ? sums[lane] : 0.0f;
        for (unsigned d = 4; d > 0; d >>= 1) v += __shfl_down_sync(0xffffffff, v, d);
        if (lane == 0) q[blockIdx.x] = v;
    }
}
