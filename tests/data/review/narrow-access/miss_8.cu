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
    s[threadIdx.x] = p[threadIdx.x];
    if (threadIdx.x == 0) s[32] = 0.0f;
    __syncthreads();
    q[threadIdx.x] = s[threadIdx.x] + s[threadIdx.x + 1];  // near: not aligned to 8 bytes
}
