/*
A lock in shared memory.

[lanescope]
block = 32

[buffers]
p = "f32 i:1024"
q = "f32 i:1024 = zeros"
n = "u32 i:64 = zeros"
*/
__global__ void __launch_bounds__(32) k(const float *p, float *q, unsigned *n)
{
    __shared__ unsigned held;
    if (threadIdx.x == 0) held = 0;
    __syncthreads();
    while (atomicCAS(&held, 0u, 1u) != 0u) {}  // finds
    __threadfence_block();
    q[0] = q[0] + p[threadIdx.x];
    __threadfence_block();
    atomicExch(&held, 0u);
}
