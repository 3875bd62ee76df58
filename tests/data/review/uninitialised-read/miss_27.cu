/*
The upper half of the words is neither stored nor loaded.

[lanescope]
block = 64

[buffers]
p = "f32 i:1024"
q = "f32 i:1024 = zeros"
*/
__global__ void __launch_bounds__(64) k(const float *p, float *q)
{
    __shared__ float s[128];
    s[threadIdx.x] = p[threadIdx.x];
    __syncthreads();
    if (threadIdx.x < 64) q[threadIdx.x] = s[63 - threadIdx.x];
}
