/*
A histogram by atomics.

[lanescope]
grid = 4
block = 64

[buffers]
p = "f32 i:1024"
q = "u32 i:64 = zeros"
*/
__global__ void __launch_bounds__(64) k(const float *p, unsigned *q)
{
    atomicAdd(&q[static_cast<int>(p[64 * blockIdx.x + threadIdx.x]) & 7], 1u);
}
