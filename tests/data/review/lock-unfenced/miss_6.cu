/*
One thread takes the lock: nobody else is there.

[lanescope]
block = 1

[buffers]
p = "f32 i:1024"
q = "f32 i:1024 = zeros"
n = "u32 i:64 = zeros"
*/
__global__ void __launch_bounds__(1) k(const float *p, float *q, unsigned *n)
{
    if (threadIdx.x == 0) {
        while (atomicCAS(n, 0u, 1u) != 0u) {}
        *(volatile float *)q = *(volatile float *)q + p[blockIdx.x];
        atomicExch(n, 0u);
    }
}
