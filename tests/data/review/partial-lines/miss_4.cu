/*
A tail: the last warp has 8 elements.

[lanescope]
grid = 32
block = 32

[buffers]
p = "f32 i:1024"
q = "f32 i:1024 = zeros"
*/
__global__ void __launch_bounds__(32) k(const float *p, float *q)
{
    unsigned i = 32 * blockIdx.x + threadIdx.x;
    if (i < 1000) q[i] = p[i];
}
