/*
Allowed by a comment on the line.

[lanescope]
block = 32

[buffers]
p = "f32 i:1024"
q = "f32 i:1024 = zeros"
*/
__global__ void __launch_bounds__(32) k(const float *p, float *q)
{
    __shared__ float s[64];
    s[2 * threadIdx.x] = p[threadIdx.x];  // lanescope: allow bank-conflict (rarely run)
    __syncthreads();
    q[threadIdx.x] = s[2 * (threadIdx.x ^ 1)];  // lanescope: allow bank-conflict
}
