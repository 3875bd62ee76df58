/*
A device function needs none.

[lanescope]
block = 32

[buffers]
p = "f32 i:1024"
q = "f32 i:1024 = zeros"
*/
__device__ float twice(float x) { return 2.0f * x; }

__global__ void __launch_bounds__(32) k(const float *p, float *q)
{
    q[threadIdx.x] = twice(p[threadIdx.x]);
}
