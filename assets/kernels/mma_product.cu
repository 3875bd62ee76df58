/*
A product of two matrices by tensor cores: c[i,j] is the sum of a[i,k] b[j,k] over k, in four warps with a part of 16x8
each. One mma.sync multiplies 16x16 by 16x8 elements of 16 bits and adds the result to 16x8 floats, which the lanes of
the warp hold in a fixed assignment. It is written out here, at the price of 384 sectors: each load puts two
neighbouring elements where the instruction needs them. The claims below are the instruction's fragments. What a
register of c holds is a sum, of which the claim says i and j. ldmatrix_product loads the same fragments from shared
memory; wgmma_product needs no fragments of a and b.

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
__global__ void __launch_bounds__(128) mma_product(const uint *a, const uint *b, float *c)
{
    uint lane = threadIdx.x, warp = threadIdx.y;
    uint i = 16 * (warp / 2) + lane / 4, j = 8 * (warp % 2), pair = lane % 4;

    // lanescope: expect partial-lines, narrow-access (a row of 32 elements is half a line, a fragment a quarter; pairs of c lie together)
    uint x[8], y[4];
    #pragma unroll
    for (uint r = 0; r < 8; r++) x[r] = a[16 * (i + 8 * (r % 2)) + 4 * (r / 2) + pair];

    // x has the following register assignment:
    //   simd:      s0              <->  k0
    //   register:  r2 r1 r0        <->  k4 k3 i3
    //   thread:    t4 t3 t2 t1 t0  <->  i2 i1 i0 k2 k1
    //   warp:      w1 w0           <->  i4 [unused]

    #pragma unroll
    for (uint r = 0; r < 4; r++) y[r] = b[16 * (j + lane / 4) + 4 * r + pair];

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

    #pragma unroll
    for (uint r = 0; r < 4; r++) c[16 * (i + 8 * (r / 2)) + j + 2 * pair + r % 2] = sum[r];
}
