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
    s[4 * threadIdx.x] = p[threadIdx.x];  // near: a barrier between
    __syncthreads();
    s[4 * threadIdx.x + 1] = p[threadIdx.x + 32];
    __syncthreads();
    q[threadIdx.x] = s[4 * (31 - threadIdx.x)];
}
