/*
A histogram by atomics.

[lanescope]
grid = 16
block = 64

[buffers]
p = "f32 i:1024"
q = "f32 i:1024 = zeros"
*/
__global__ void __launch_bounds__(64) k(const float *p, float *q)
{
    atomicAdd(&q[threadIdx.x / 4], p[64 * blockIdx.x + threadIdx.x]);
}
