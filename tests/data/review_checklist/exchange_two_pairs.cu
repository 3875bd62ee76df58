/* Four registers, lane bit 0 against register bit 1.
[lanescope]
block = 64
[buffers]
p = "s32 w:2 r:4 t:32"
q = "s32 w:2 r:4 t:32 = zeros"
*/
__device__ __forceinline__ void exchange(int &low, int &high, int bit)
{
    const bool upper = threadIdx.x & bit;
    const int got = __shfl_xor_sync(~0u, upper ? low : high, bit);
    low = upper ? got : low;
    high = upper ? high : got;
}

__global__ void __launch_bounds__(64) two_pairs(const int *p, int *q)
{
    const int base = (threadIdx.x / 32) * 128 + threadIdx.x % 32;
    int a[4];
    #pragma unroll
    for (int i = 0; i < 4; ++i) a[i] = p[base + 32 * i];
    // a:
    //   register:  r1 r0
    //   thread:    t4 t3 t2 t1 t0
    //   warp:      w0
    exchange(a[0], a[2], 1);
    exchange(a[1], a[3], 1);
    // a, after the exchange of register bit 1 with thread bit 0:
    //   register:  t0 r0
    //   thread:    t4 t3 t2 t1 r1
    //   warp:      w0
    #pragma unroll
    for (int i = 0; i < 4; ++i) q[base + 32 * i] = a[i];
}
