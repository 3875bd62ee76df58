/*
A lock that is tried with an exchange.

[lanescope]
block = 32

[buffers]
p = "f32 i:1024"
q = "f32 i:1024 = zeros"
n = "u32 i:64 = zeros"
*/
__global__ void __launch_bounds__(32) k(const float *p, float *q, unsigned *n)
{
    while (atomicExch(n, 1u) != 0u) {}  // finds
    __threadfence();
    q[0] = q[0] + p[threadIdx.x];
    __threadfence();
    atomicExch(n, 0u);
}
