/*
[lanescope]
block = 32
[buffers]
p = "f32 i:128"
q = "f32 i:128 = zeros"
*/
__global__ void __launch_bounds__(32) k(const float *p, float *q)
{
    __shared__ float s[64];
    float2 v = ((const float2 *)p)[threadIdx.x];
    s[2 * threadIdx.x] = v.x;  // finds
    s[2 * threadIdx.x + 1] = v.y;
    __syncthreads();
    q[threadIdx.x] = s[63 - threadIdx.x];
}
