/*
All lanes go round equally often.

[lanescope]
grid = 2
block = 32

[buffers]
p = "f32 i:1024"
q = "f32 i:1024 = zeros"
*/
__global__ void __launch_bounds__(32) k(const float *p, float *q)
{
    float x = p[threadIdx.x];
    #pragma unroll 1
    for (int i = 0; i < (int)blockIdx.x + 5; ++i) x = x * x + 0.5f;
    q[threadIdx.x] = x;
}
