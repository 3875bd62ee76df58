/*
Atomics that all lanes execute once.

[lanescope]
block = 32

[buffers]
p = "f32 i:1024"
q = "f32 i:1024 = zeros"
n = "u32 i:64 = zeros"
*/
__global__ void __launch_bounds__(32) k(const float *p, float *q, unsigned *n)
{
    unsigned at = atomicAdd(n, 1u);
    q[at] = p[threadIdx.x];
}
