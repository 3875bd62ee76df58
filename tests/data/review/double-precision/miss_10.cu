/*
Other float functions.

[lanescope]
block = 32

[buffers]
p = "f32 i:1024"
q = "f32 i:1024 = zeros"
*/
__global__ void __launch_bounds__(32) k(const float *p, float *q)
{
    float x = p[threadIdx.x];
    q[threadIdx.x] = powf(x, 2.5f) + expf(-x) + logf(x) + sqrtf(x) + x * 2.0f + j0f(x) + tgammaf(x) + erff(x);
}
