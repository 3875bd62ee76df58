/*
A fence that reaches one block, before a flag for another one.

[lanescope]
grid = 2
block = 32

[buffers]
p = "f32 i:1024"
q = "f32 i:1024 = zeros"
n = "u32 i:64 = zeros"
*/
__global__ void __launch_bounds__(32) k(const float *p, volatile float *q, unsigned *n)
{
    if (threadIdx.x != 0) return;
    if (blockIdx.x == 0) {
        q[0] = p[5];
        __threadfence_block();
        atomicExch(n, 1u);
    } else {
        while (atomicAdd(n, 0u) == 0u) {}
        q[1] = q[0];
    }
}
