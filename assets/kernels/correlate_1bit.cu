/*
Signals of one bit a sample, correlated by tensor cores: c[i,j] counts the samples of 256 in which signals i and j
differ. One mma.sync compares 16 signals with 8: exclusive or takes the place of multiplication, and a count of bits
that of the sum. A register holds 32 samples. correlate_4bit does the same with samples of 4 bits, and real products.

[lanescope]
block = 32

[buffers]
a = "b1 i:16 k:256 = random 1"
b = "b1 j:8 k:256 = random 2"

[buffers.c]
type = "s32"
axes = "i:16 j:8"
init = "zeros"
expect = "sha256 80599d1b08c598c8ee1a8dd38cf1d023660f4c87ffa96d91570c9ae8db7a0233"
*/
__global__ void __launch_bounds__(32) correlate_1bit(const uint *a, const uint *b, int *c)
{
    uint i = threadIdx.x / 4, word = threadIdx.x % 4;

    // lanescope: expect partial-lines, narrow-access (a signal is a quarter of a line; the pairs of c could be one store)
    uint x[4], y[2];
    #pragma unroll
    for (uint r = 0; r < 4; r++) x[r] = a[8 * (i + 8 * (r % 2)) + 4 * (r / 2) + word];

    // x has the following register assignment:
    //   simd:      s4 s3 s2 s1 s0  <->  k4 k3 k2 k1 k0
    //   register:  r1 r0           <->  k7 i3
    //   thread:    t4 t3 t2 t1 t0  <->  i2 i1 i0 k6 k5

    #pragma unroll
    for (uint r = 0; r < 2; r++) y[r] = b[8 * i + 4 * r + word];

    // y has register assignment:
    //   simd:      s4 s3 s2 s1 s0  <->  k4 k3 k2 k1 k0
    //   register:  r0              <->  k7
    //   thread:    t4 t3 t2 t1 t0  <->  j2 j1 j0 k6 k5

    int sum[4] = {0, 0, 0, 0};
    asm("mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.xor.popc {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
        "{%0, %1, %2, %3};"
        : "+r"(sum[0]), "+r"(sum[1]), "+r"(sum[2]), "+r"(sum[3])
        : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "r"(y[0]), "r"(y[1]));

    // sum has the following register assignment:
    //   register:  r1 r0           <->  i3 j0
    //   thread:    t4 t3 t2 t1 t0  <->  i2 i1 i0 j2 j1

    #pragma unroll
    for (uint r = 0; r < 4; r++) c[8 * (i + 8 * (r / 2)) + 2 * word + r % 2] = sum[r];
}
