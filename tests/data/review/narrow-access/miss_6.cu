/*
Two arrays.

[lanescope]
block = 32

[buffers]
p = "f32 i:1024"
p2 = "f32 i:1024"
q = "f32 i:1024 = zeros"
*/
__global__ void __launch_bounds__(32) k(const float *p, const float *p2, float *q)
{
    q[threadIdx.x] = p[threadIdx.x] * p2[threadIdx.x];
}
