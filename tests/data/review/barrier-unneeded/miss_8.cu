/*
A barrier orders two accesses to global memory.

[lanescope]
block = 64

[buffers]
p = "f32 i:1024"
q = "f32 i:1024 = zeros"
*/
__global__ void __launch_bounds__(64) k(const float *p, float *q)
{
    q[threadIdx.x] = p[threadIdx.x];
    __syncthreads();
    q[64 + threadIdx.x] = q[63 - threadIdx.x];
}
