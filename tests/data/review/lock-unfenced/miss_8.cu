/*
What is exchanged is data: nobody gives a lock back.

[lanescope]
block = 64

[buffers]
p = "f32 i:1024"
q = "f32 i:1024 = zeros"
n = "u32 i:64 = zeros"
*/
__global__ void __launch_bounds__(64) k(const float *p, float *q, unsigned *n)
{
    volatile unsigned *data = n + 1;
    if (threadIdx.x == 0) {
        *data = 1;
        __threadfence();
        atomicExch(n, 1u);
    } else if (threadIdx.x == 32) {
        while (atomicExch(n, 0u) == 0u) {}
        const unsigned a = *data;
        atomicExch(n, a);
    }
}
