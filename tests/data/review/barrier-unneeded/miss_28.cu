/*
The barrier stands before an instruction of four warps that reads shared memory itself.

[lanescope]
block = 128
arch = "sm_90a"

[buffers]
a = "f16 i:64 k:16"
b = "f16 j:8 k:16"
c = "f32 i:64 j:8 = zeros"
*/
__global__ void __launch_bounds__(128) k(const uint4 *a, const uint4 *b, float *c)
{
    __shared__ __align__(128) uint4 tiles[144];
    unsigned t = threadIdx.x;
    tiles[t] = a[t];
    if (t < 16) tiles[128 + t] = b[t];
    asm volatile("fence.proxy.async;" ::: "memory");
    __syncthreads();
    unsigned long long from = (unsigned)__cvta_generic_to_shared(tiles) / 16;
    unsigned long long of_a = from | 64ull << 16 | 8ull << 32, of_b = (from + 128) | 8ull << 16 | 8ull << 32;
    float sum[4];
    asm volatile("wgmma.fence.sync.aligned;\n"
                 "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0, %1, %2, %3}, %4, %5, 0, 1, 1, 0, 0;\n"
                 "wgmma.commit_group.sync.aligned;\n"
                 "wgmma.wait_group.sync.aligned 0;"
                 : "=f"(sum[0]), "=f"(sum[1]), "=f"(sum[2]), "=f"(sum[3])
                 : "l"(of_a), "l"(of_b)
                 : "memory");
    for (unsigned r = 0; r < 4; ++r) c[128 * r + t] = sum[r];
}
