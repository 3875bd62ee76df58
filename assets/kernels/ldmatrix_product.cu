/*
The product of mma_product with both matrices in shared memory, where any warp can read them: 96 sectors are
loaded. ldmatrix loads a fragment in one instruction: each lane gives the address of 16 bytes, a row of eight
elements, and gets two elements of every row of a matrix of 8x8. A row of 64 bytes fills half of the banks; its four
pieces of 16 bytes change places from row to row, so that the eight pieces of a matrix lie in different banks. The
claims are those of mma_product.

[lanescope]
block = [32, 4]

[buffers]
a = "f16 i:32 k:32"
b = "f16 j:16 k:32"

[buffers.c]
type = "f32"
axes = "i:32 j:16"
init = "zeros"
expect = "sha256 ccafda88d5fc1da3cbf1c5dcbb55bacce327bbd3c49cd67ed8b09b890eabc7d1"
*/
/// Rows of four pieces of 16 bytes, each at an exchanged place.
struct Tile {
    uint4 pieces[32][4];

    __device__ uint4 &at(uint row, uint piece) { return pieces[row][piece ^ row / 2 % 4]; }
    __device__ uint address(uint row, uint piece) { return (uint)__cvta_generic_to_shared(&at(row, piece)); }
};

__global__ void __launch_bounds__(128) ldmatrix_product(const uint4 *a, const uint4 *b, float *c)
{
    __shared__ Tile tile_a, tile_b;
    uint lane = threadIdx.x, warp = threadIdx.y, thread = 32 * warp + lane;
    uint i = 16 * (warp / 2), j = 8 * (warp % 2);

    tile_a.at(thread / 4, thread % 4) = a[thread];
    if (thread < 64) tile_b.at(thread / 4, thread % 4) = b[thread];
    __syncthreads();

    uint x[8], y[4];
    #pragma unroll
    for (uint step = 0; step < 2; step++)
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                     : "=r"(x[4 * step]), "=r"(x[4 * step + 1]), "=r"(x[4 * step + 2]), "=r"(x[4 * step + 3])
                     : "r"(tile_a.address(i + lane % 16, 2 * step + lane / 16))
                     : "memory");

    // x has the following register assignment:
    //   simd:      s0              <->  k0
    //   register:  r2 r1 r0        <->  k4 k3 i3
    //   thread:    t4 t3 t2 t1 t0  <->  i2 i1 i0 k2 k1
    //   warp:      w1 w0           <->  i4 [unused]

    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(y[0]), "=r"(y[1]), "=r"(y[2]), "=r"(y[3])
                 : "r"(tile_b.address(j + lane % 8, lane / 8))
                 : "memory");

    // y has register assignment:
    //   simd:      s0              <->  k0
    //   register:  r1 r0           <->  k4 k3
    //   thread:    t4 t3 t2 t1 t0  <->  j2 j1 j0 k2 k1
    //   warp:      w1 w0           <->  [unused] j3

    float sum[4] = {0, 0, 0, 0};
    #pragma unroll
    for (uint step = 0; step < 2; step++)
        asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
            "{%0, %1, %2, %3};"
            : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
            : "r"(x[4 * step]), "r"(x[4 * step + 1]), "r"(x[4 * step + 2]), "r"(x[4 * step + 3]), "r"(y[2 * step]),
              "r"(y[2 * step + 1]));

    // sum has the following register assignment:
    //   register:  r1 r0           <->  i3 j0
    //   thread:    t4 t3 t2 t1 t0  <->  i2 i1 i0 j2 j1
    //   warp:      w1 w0           <->  i4 j3

    // lanescope: expect partial-lines, narrow-access (a row of the part is a quarter of a line; the pairs of c could be one store)
    #pragma unroll
    for (uint r = 0; r < 4; r++) c[16 * (i + lane / 4 + 8 * (r / 2)) + j + 2 * (lane % 4) + r % 2] = sum[r];
}
