/*
A column of swizzled rows.

[lanescope]
block = 32

[buffers]
p = "f32 i:1024"
q = "f32 i:1024 = zeros"
*/
__global__ void __launch_bounds__(32) k(const float *p, float *q)
{
    __shared__ float s[32][32];
    for (int i = 0; i < 32; ++i) s[i][threadIdx.x ^ i] = p[32 * i + threadIdx.x];
    __syncthreads();
    q[threadIdx.x] = s[threadIdx.x][3 ^ threadIdx.x];
}
