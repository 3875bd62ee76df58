/*
A store in steps of 32 words.

[lanescope]
block = 32

[buffers]
p = "f32 i:1024"
q = "f32 i:1024 = zeros"
*/
__global__ void __launch_bounds__(32) k(const float *p, float *q)
{
    __shared__ float s[1024];
    s[32 * threadIdx.x] = p[threadIdx.x];  // finds
    __syncthreads();
    if (threadIdx.x == 0) q[0] = s[32];
}
