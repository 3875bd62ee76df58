/*
128-bit accesses, four wavefronts each as they must.

[lanescope]
block = 32

[buffers]
p = "f32 i:1024"
q = "f32 i:1024 = zeros"
*/
__global__ void __launch_bounds__(32) k(const float4 *p, float4 *q)
{
    __shared__ float4 s[32];
    s[threadIdx.x] = p[threadIdx.x];
    __syncthreads();
    q[threadIdx.x] = s[31 - threadIdx.x];
}
