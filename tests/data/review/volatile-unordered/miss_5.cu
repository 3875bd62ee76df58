/*
A lock with fences, given back by a volatile store.

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
    if (threadIdx.x == 0) {
        while (atomicCAS(n, 0u, 1u) != 0u) {}
        __threadfence();
        q[0] = q[0] + p[blockIdx.x];
        __threadfence();
        *(volatile unsigned *)n = 0u;
    }
}
