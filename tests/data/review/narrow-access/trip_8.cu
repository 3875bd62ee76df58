/*
[lanescope]
block = 32
[buffers]
p = "f32 i:128"
q = "f32 i:128 = zeros"
*/
__global__ void __launch_bounds__(32) k(const float *p, float *q)
{
    __shared__ float s[128];
    ((float4 *)s)[threadIdx.x] = ((const float4 *)p)[threadIdx.x];
    __syncthreads();
    unsigned i = 4 * (31 - threadIdx.x);
    ((float4 *)q)[threadIdx.x] = make_float4(s[i], s[i + 1], s[i + 2], s[i + 3]);  // finds
}
