/*
Bytes are stored one by one and loaded as words.

[lanescope]
block = 64

[buffers]
p = "f32 i:1024"
q = "f32 i:1024 = zeros"
*/
__global__ void __launch_bounds__(64) k(const float *p, float *q)
{
    __shared__ unsigned char s[256];
    for (int i = 0; i < 4; ++i) s[threadIdx.x + 64 * i] = (unsigned char)p[threadIdx.x];
    __syncthreads();
    q[threadIdx.x] = ((const int *)s)[63 - threadIdx.x];
}
