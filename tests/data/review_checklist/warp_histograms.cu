/* Each warp counts for itself; the counts of all are added at the end.
[lanescope]
grid = 2
block = 128
[buffers]
keys = "u32 n:1024 = random 3"
bins = "u32 n:32 = zeros"
*/
__global__ void __launch_bounds__(128) count(const unsigned *keys, unsigned *bins)
{
    __shared__ unsigned of_warp[4][32];
    const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    of_warp[warp][lane] = 0;
    __syncwarp();
    for (unsigned i = threadIdx.x; i < 512; i += 128) atomicAdd(&of_warp[warp][keys[512 * blockIdx.x + i] & 31], 1u);
    __syncthreads();
    if (warp == 0) {
        unsigned sum = 0;
        for (int w = 0; w < 4; ++w) sum += of_warp[w][lane];
        atomicAdd(bins + lane, sum);
    }
}
