/* One warp adds 32 numbers in shared memory.
[lanescope]
block = 32
[buffers]
in = "s32 n:32"
out = "s32 n:1 = zeros"
*/
__global__ void __launch_bounds__(32) warp_sum(const int *in, int *out)
{
    __shared__ int cell[32];
    const unsigned lane = threadIdx.x;
    cell[lane] = in[lane];
    __syncwarp();
    for (unsigned step = 16; step; step >>= 1) {
        if (lane < step) cell[lane] += cell[lane + step];
        __syncwarp();
    }
    if (lane == 0) *out = cell[0];
}
