/*
64-bit loads, every other one.

[lanescope]
block = 32

[buffers]
p = "f32 i:1024"
q = "f32 i:1024 = zeros"
*/
__global__ void __launch_bounds__(32) k(const float *p, float *q)
{
    __shared__ float2 s[64];
    s[threadIdx.x] = make_float2(p[threadIdx.x], 1.0f);
    s[threadIdx.x + 32] = make_float2(p[threadIdx.x + 32], 2.0f);
    __syncthreads();
    q[threadIdx.x] = s[2 * threadIdx.x].x + s[2 * threadIdx.x].y;  // finds
}
