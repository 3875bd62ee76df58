/*
A lock of one block with no fence behind taking it.

[lanescope]
block = 64

[buffers]
p = "f32 i:1024"
q = "f32 i:1024 = zeros"
n = "u32 i:64 = zeros"
*/
__global__ void __launch_bounds__(64) k(const float *p, float *q, unsigned *n)
{
    if (threadIdx.x % 32 == 0) {
        while (atomicCAS(n, 0u, 1u) != 0u) {}  // finds
        *(volatile float *)q = *(volatile float *)q + p[blockIdx.x];
        __threadfence_block();
        atomicExch(n, 0u);
    }
}
