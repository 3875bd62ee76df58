/*
Two arrays: writing the second needs no barrier behind the first read.

[lanescope]
block = 64

[buffers]
p = "f32 i:1024"
q = "f32 i:1024 = zeros"
*/
__global__ void __launch_bounds__(64) k(const float *p, float *q)
{
    __shared__ float s[64], t[64];
    s[threadIdx.x] = p[threadIdx.x];
    __syncthreads();
    float x = s[63 - threadIdx.x];
    __syncthreads();  // finds
    t[threadIdx.x] = x;
    __syncthreads();
    q[threadIdx.x] = t[threadIdx.x ^ 32];
}
