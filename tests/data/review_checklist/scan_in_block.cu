/* A running sum over a block by doubling distances.
[lanescope]
block = 128
[buffers]
in = "s32 n:128"
out = "s32 n:128 = zeros"
*/
__global__ void __launch_bounds__(128) scan(const int *in, int *out)
{
    __shared__ int s[128];
    const int t = threadIdx.x;
    s[t] = in[t];
    __syncthreads();
    for (int d = 1; d < 128; d *= 2) {
        const int add = t >= d ? s[t - d] : 0;
        __syncthreads();
        s[t] += add;
        __syncthreads();
    }
    out[t] = s[t];
}
