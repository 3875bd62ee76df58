/*
[lanescope]
block = 32
[buffers]
p = "f32 i:128"
q = "f32 i:128 = zeros"
*/
__global__ void __launch_bounds__(32) k(const float *p, float *q)
{
    __shared__ float s[32 * 33];
    for (int i = 0; i < 33; ++i) s[33 * threadIdx.x + i] = p[threadIdx.x];  // near: rows of 33, not aligned
    __syncthreads();
    q[threadIdx.x] = s[34 * threadIdx.x];
}
