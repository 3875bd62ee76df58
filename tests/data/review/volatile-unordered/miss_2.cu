/*
A look at a flag: whoever comes early does without.

[lanescope]
grid = 2
block = 32

[buffers]
p = "f32 i:1024"
q = "f32 i:1024 = zeros"
n = "u32 i:64 = zeros"
*/
__global__ void __launch_bounds__(32) k(const float *p, float *q, unsigned *n)
{
    volatile unsigned *stop = n;
    if (blockIdx.x == 0 && threadIdx.x == 0) *stop = 1;
    if (*stop == 1) return;
    q[32 * blockIdx.x + threadIdx.x] = p[threadIdx.x];
}
