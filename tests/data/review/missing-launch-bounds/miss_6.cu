/*
A constant in the bounds.

[lanescope]
block = 32

[buffers]
p = "f32 i:1024"
q = "f32 i:1024 = zeros"
*/
constexpr int threads = 32;
__global__ void __launch_bounds__(threads) k(const float *p, float *q)
{
    q[threadIdx.x] = p[threadIdx.x];
}
