/*
A wide load takes three words that were stored and one that was not.

[lanescope]
block = 64

[buffers]
p = "f32 i:1024"
q = "f32 i:1024 = zeros"
*/
__global__ void __launch_bounds__(64) k(const float *p, float *q)
{
    __shared__ float4 s[64];
    s[threadIdx.x].x = p[threadIdx.x];
    s[threadIdx.x].y = p[threadIdx.x + 64];
    s[threadIdx.x].z = p[threadIdx.x + 128];
    __syncthreads();
    float4 v = s[63 - threadIdx.x];  // finds
    q[threadIdx.x] = v.x + v.y + v.z + v.w;
}
