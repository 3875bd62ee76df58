/*
Every other word: two lanes to a bank.

[lanescope]
block = 32

[buffers]
p = "f32 i:1024"
q = "f32 i:1024 = zeros"
*/
__global__ void __launch_bounds__(32) k(const float *p, float *q)
{
    __shared__ float s[64];
    s[2 * threadIdx.x] = p[threadIdx.x];  // finds
    __syncthreads();
    q[threadIdx.x] = s[2 * (threadIdx.x ^ 1)];
}
