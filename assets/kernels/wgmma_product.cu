/*
A product of 64x16 by 16x8 elements in one instruction of four warps (Hopper): both matrices stay in shared memory, and
the instruction gets an address with two strides for each. Memory holds blocks of 8 rows with 8 elements
each, 128 bytes in a row; blocks of the same rows are 1,024 bytes apart in a and 128 in b, those of the next rows 128.
Only the sums are in registers: warp w has rows 16 w to 16 w + 15, assigned as in mma_product.

[lanescope]
block = 128
arch = "sm_90a"

[buffers]
a = "f16 i:64 k:16"
b = "f16 j:8 k:16"

[buffers.c]
type = "f32"
axes = "i:64 j:8"
init = "zeros"
expect = "sha256 b208f72ab08cec7f792aba949583ae136faecec9f5791b4c2aa0dc425ea52b4b"
*/
/// The matrix at `p`: distances in bytes between blocks along k, and along rows.
__device__ unsigned long long descriptor(const void *p, uint along_k, uint along_rows)
{
    unsigned long long address = (uint)__cvta_generic_to_shared(p);
    return address / 16 | (unsigned long long)(along_k / 16) << 16 | (unsigned long long)(along_rows / 16) << 32;
}

__global__ void __launch_bounds__(128) wgmma_product(const uint4 *a, const uint4 *b, float *c)
{
    __shared__ __align__(128) uint4 tile_a[2][64], tile_b[2][8];
    uint t = threadIdx.x, lane = t % 32, warp = t / 32;

    // A thread has eight elements: half a row.
    // lanescope: expect bank-conflict, partial-lines, narrow-access (the halves of a row go to different blocks; c as in mma_product)
    tile_a[t % 2][t / 2] = a[t];
    if (t < 16) tile_b[t % 2][t / 2] = b[t];
    asm volatile("fence.proxy.async;" ::: "memory");
    __syncthreads();

    float sum[4];
    asm volatile("wgmma.fence.sync.aligned;\n"
                 "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0, %1, %2, %3}, %4, %5, 0, 1, 1, 0, 0;\n"
                 "wgmma.commit_group.sync.aligned;\n"
                 "wgmma.wait_group.sync.aligned 0;"
                 : "=f"(sum[0]), "=f"(sum[1]), "=f"(sum[2]), "=f"(sum[3])
                 : "l"(descriptor(tile_a, 1024, 128)), "l"(descriptor(tile_b, 128, 128))
                 : "memory");

    // sum has the following register assignment:
    //   register:  r1 r0           <->  i3 j0
    //   thread:    t4 t3 t2 t1 t0  <->  i2 i1 i0 j2 j1
    //   warp:      w1 w0           <->  i5 i4

    #pragma unroll
    for (uint r = 0; r < 4; r++) c[8 * (16 * warp + lane / 4 + 8 * (r / 2)) + 2 * (lane % 4) + r % 2] = sum[r];
}
