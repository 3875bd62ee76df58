/*
No barrier between filling the tiles and wgmma.

[lanescope]
block = 128
arch = "sm_90a"

[buffers]
a = "f16 i:64 k:16"
b = "f16 j:8 k:16"
c = "f32 i:64 j:8 = zeros"
*/
__device__ unsigned long long descriptor(const void *p, unsigned along_k, unsigned along_rows)
{
    unsigned long long address = (unsigned)__cvta_generic_to_shared(p);
    return address / 16 | (unsigned long long)(along_k / 16) << 16 | (unsigned long long)(along_rows / 16) << 32;
}
__global__ void __launch_bounds__(128) k(const uint4 *a, const uint4 *b, float *c)
{
    __shared__ __align__(128) uint4 tile_a[2][64], tile_b[2][8];
    unsigned t = threadIdx.x;
    tile_a[t % 2][t / 2] = a[t];
    if (t < 16) tile_b[t % 2][t / 2] = b[t];
    asm volatile("fence.proxy.async;" ::: "memory");
    float sum[4];
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
    asm volatile("wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0, %1, %2, %3}, %4, %5, 0, 1, 1, 0, 0;"
                 : "=f"(sum[0]), "=f"(sum[1]), "=f"(sum[2]), "=f"(sum[3])
                 : "l"(descriptor(tile_a, 1024, 128)), "l"(descriptor(tile_b, 128, 128)) : "memory");  // finds
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
    asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
    for (unsigned r = 0; r < 4; r++) c[128 * r + t] = sum[r];
}
