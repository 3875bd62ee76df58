/*
A comment about 1.0 and sin.

[lanescope]
block = 32

[buffers]
p = "f32 i:1024"
q = "f32 i:1024 = zeros"
*/
__global__ void __launch_bounds__(32) k(const float *p, float *q)
{
    // 1.0 and sin are double, 1.0f and sinf are not.
    q[threadIdx.x] = p[threadIdx.x] + 1.0f;
}
