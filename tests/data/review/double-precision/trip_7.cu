/*
A product in double beside sinf.

[lanescope]
block = 32

[buffers]
p = "f32 i:1024"
q = "f32 i:1024 = zeros"
*/
__global__ void __launch_bounds__(32) k(const float *p, float *q)
{
    float x = p[threadIdx.x];
    q[threadIdx.x] = sinf(x) + x * 0.1;  // finds
}
