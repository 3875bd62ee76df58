/*
Named barriers of part of the block.

[lanescope]
grid = 1
block = 128

[buffers]
p = "f32 i:1024"
q = "f32 i:1024 = zeros"
*/
__global__ void __launch_bounds__(128) k(const float *p, float *q)
{
    __shared__ float s[128];
    s[threadIdx.x] = p[threadIdx.x];
    if (threadIdx.x < 64)
        asm volatile("bar.sync 1, 64;" ::: "memory");
    else
        asm volatile("bar.sync 2, 64;" ::: "memory");
    q[threadIdx.x] = s[threadIdx.x ^ 32];
}
