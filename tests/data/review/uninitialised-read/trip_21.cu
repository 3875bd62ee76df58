/*
A sum over 64 threads of which 50 have stored.

[lanescope]
block = 64

[buffers]
p = "f32 i:1024"
q = "f32 i:1024 = zeros"
*/
__global__ void __launch_bounds__(64) k(const float *p, float *q)
{
    __shared__ float s[64];
    if (threadIdx.x < 50) s[threadIdx.x] = p[threadIdx.x];
    __syncthreads();
    float sum = 0;
    for (int i = 0; i < 64; ++i) sum += s[i];  // finds
    q[threadIdx.x] = sum;
}
