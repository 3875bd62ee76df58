/*
Each lane has an address of its own.

[lanescope]
grid = 2
block = 64

[buffers]
p = "f32 i:128"
q = "f32 i:64 = zeros"
*/
__global__ void __launch_bounds__(64) k(const float *p, float *q)
{
    atomicAdd(&q[threadIdx.x], p[64 * blockIdx.x + threadIdx.x]);  // near
}
