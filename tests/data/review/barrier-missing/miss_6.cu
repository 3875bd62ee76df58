/*
Bytes of one word, each written by one thread.

[lanescope]
block = 64

[buffers]
p = "f32 i:1024"
q = "f32 i:1024 = zeros"
*/
__global__ void __launch_bounds__(64) k(const float *p, float *q)
{
    __shared__ unsigned char s[64];
    s[(threadIdx.x % 2) * 32 + threadIdx.x / 2] = (unsigned char)threadIdx.x;
    __syncthreads();
    q[threadIdx.x] = s[63 - threadIdx.x] + p[threadIdx.x];
}
