/*
Two warps write one word.

[lanescope]
block = 64

[buffers]
p = "f32 i:1024"
q = "f32 i:1024 = zeros"
*/
__global__ void __launch_bounds__(64) k(const float *p, float *q)
{
    __shared__ float s[32];
    s[threadIdx.x % 32] = p[threadIdx.x];  // finds
    __syncthreads();
    q[threadIdx.x] = s[threadIdx.x % 32];
}
