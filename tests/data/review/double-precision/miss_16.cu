/*
[lanescope]
block = 32
[buffers]
p = "f32 i:64"
q = "f32 i:64 = zeros"
*/
__global__ void __launch_bounds__(32) k(const float *p, float *q)
{
    const int n = sizeof(p[0]) * 2e0 > 7.5 ? 1 : 2;  // near: no float meets it
    q[threadIdx.x] = p[threadIdx.x] * n;
}
