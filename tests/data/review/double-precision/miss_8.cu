/*
cosf and tanf, twice on a line.

[lanescope]
block = 32

[buffers]
p = "f32 i:1024"
q = "f32 i:1024 = zeros"
*/
__global__ void __launch_bounds__(32) k(const float *p, float *q)
{
    q[threadIdx.x] = cosf(p[threadIdx.x]) + tanf(p[threadIdx.x]) * cosf(p[threadIdx.x + 32]);
}
