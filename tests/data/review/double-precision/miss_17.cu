/*
[lanescope]
block = 32
[buffers]
p = "f32 i:64"
q = "f32 i:64 = zeros"
*/
__global__ void __launch_bounds__(32) k(const float *p, float *q)
{
    q[threadIdx.x] = std::sqrt(p[threadIdx.x]) + p[threadIdx.x] * (2.0f * 1.5f);  // near: std::sqrt has a float form
}
