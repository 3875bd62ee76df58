/*
[lanescope]
block = 32
[buffers]
p = "f32 i:64"
q = "f32 i:64 = zeros"
*/
__device__ float sqrt(float x, float y) { return x - y; }
__global__ void __launch_bounds__(32) k(const float *p, float *q)
{
    q[threadIdx.x] = sqrt(p[threadIdx.x], 2.0f);  // near: a function of the file's own
}
