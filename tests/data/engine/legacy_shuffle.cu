// A sum over a warp as it was written before CUDA 9.
__global__ void __launch_bounds__(32) legacy_sum(const int *p, int *q)
{
    int x = p[threadIdx.x];
    for (int mask = 16; mask > 0; mask >>= 1) x += __shfl_xor(x, mask);
    q[threadIdx.x] = x;
}
