/* The operands of one m16n8k8 product in half precision.
[lanescope]
block = 32
[buffers]
A = "f16 m:16 k:8"
B = "f16 n:8 k:8"
C = "f32 m:16 n:8 = zeros"
*/
#include <cuda_fp16.h>

__global__ void __launch_bounds__(32) product(const __half *A, const __half *B, float *C)
{
    const unsigned lane = threadIdx.x;
    const unsigned group = lane / 4, quad = lane % 4;
    __half2 a0 = *(const __half2 *)(A + 8 * group + 2 * quad);
    __half2 a1 = *(const __half2 *)(A + 8 * (group + 8) + 2 * quad);
    // a, as mma.m16n8k8 takes it:
    //   simd:      k0
    //   register:  m3
    //   thread:    m2 m1 m0 k2 k1
    __half2 b = *(const __half2 *)(B + 8 * group + 2 * quad);
    // b, as mma.m16n8k8 takes it:
    //   simd:      k0
    //   thread:    n2 n1 n0 k2 k1
    float c[4] = {};
    asm("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5}, {%6}, {%0,%1,%2,%3};"
        : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
        : "r"(*(unsigned *)&a0), "r"(*(unsigned *)&a1), "r"(*(unsigned *)&b));
    // c, as mma.m16n8k8 leaves it:
    //   register:  m3 n0
    //   thread:    m2 m1 m0 n2 n1
    *(float2 *)(C + 8 * group + 2 * quad) = make_float2(c[0], c[1]);
    *(float2 *)(C + 8 * (group + 8) + 2 * quad) = make_float2(c[2], c[3]);
}
