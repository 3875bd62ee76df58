/*
Signals of 4 bits a sample, from -8 to 7, correlated by tensor cores: c[i,j] is the sum of the products of signals i
and j over 64 samples. One mma.sync takes 16 signals and 8. A register holds eight samples. correlate_1bit does it with
one bit a sample, where four times as many fit.

[lanescope]
block = 32

[buffers]
a = "s4 i:16 k:64 = random 1"
b = "s4 j:8 k:64 = random 2"

[buffers.c]
type = "s32"
axes = "i:16 j:8"
init = "zeros"
expect = "sha256 4becefecdf09fd303d754f880b0a4e051139d20ca3cec641d479d7e287e6e91c"
*/
__global__ void __launch_bounds__(32) correlate_4bit(const uint *a, const uint *b, int *c)
{
    uint i = threadIdx.x / 4, word = threadIdx.x % 4;

    // lanescope: expect partial-lines, narrow-access (a signal is a quarter of a line; the pairs of c could be one store)
    uint x[4], y[2];
    #pragma unroll
    for (uint r = 0; r < 4; r++) x[r] = a[8 * (i + 8 * (r % 2)) + 4 * (r / 2) + word];

    // x has the following register assignment:
    //   simd:      s2 s1 s0        <->  k2 k1 k0
    //   register:  r1 r0           <->  k5 i3
    //   thread:    t4 t3 t2 t1 t0  <->  i2 i1 i0 k4 k3

    #pragma unroll
    for (uint r = 0; r < 2; r++) y[r] = b[8 * i + 4 * r + word];

    // y has register assignment:
    //   simd:      s2 s1 s0        <->  k2 k1 k0
    //   register:  r0              <->  k5
    //   thread:    t4 t3 t2 t1 t0  <->  j2 j1 j0 k4 k3

    int sum[4] = {0, 0, 0, 0};
    asm("mma.sync.aligned.m16n8k64.row.col.s32.s4.s4.s32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
        "{%0, %1, %2, %3};"
        : "+r"(sum[0]), "+r"(sum[1]), "+r"(sum[2]), "+r"(sum[3])
        : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "r"(y[0]), "r"(y[1]));

    // sum has the following register assignment:
    //   register:  r1 r0           <->  i3 j0
    //   thread:    t4 t3 t2 t1 t0  <->  i2 i1 i0 j2 j1

    #pragma unroll
    for (uint r = 0; r < 4; r++) c[8 * (i + 8 * (r / 2)) + 2 * word + r % 2] = sum[r];
}
