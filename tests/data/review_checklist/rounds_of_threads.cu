/* As many rounds as the longest of the block's lists.
[lanescope]
block = 64
[buffers]
lengths = "s32 n:64"
out = "s32 n:64 = zeros"
*/
__global__ void __launch_bounds__(64) rounds(const int *lengths, int *out)
{
    __shared__ int turn[64];
    const int t = threadIdx.x, mine = lengths[t], most = lengths[63];
    int sum = 0;
    for (int k = 0; k < most; ++k) {
        turn[t] = k < mine ? k : 0;
        __syncthreads();
        sum += turn[t ^ 63];
        __syncthreads();
    }
    out[t] = sum;
}
