/*
A selection, no branch.

[lanescope]
block = 32

[buffers]
p = "f32 i:1024"
q = "f32 i:1024 = zeros"
*/
__global__ void __launch_bounds__(32) k(const float *p, float *q)
{
    float x = p[threadIdx.x];
    x = threadIdx.x & 1 ? x * 2.0f : x * 3.0f;
    q[threadIdx.x] = x;
}
