/*
A bound at the tail: lanes beyond it leave.

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
    if (i >= 1000) return;
    float x = p[i];
    #pragma unroll 1
    for (int i = 0; i < 20; ++i) x = x * x + 0.5f;
    q[i] = x;
}
