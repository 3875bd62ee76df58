/*
The same sum with zeros behind the end.

[lanescope]
block = 64

[buffers]
p = "f32 i:1024"
q = "f32 i:1024 = zeros"
*/
__global__ void __launch_bounds__(64) k(const float *p, float *q)
{
    __shared__ float s[64];
    s[threadIdx.x] = threadIdx.x < 50 ? p[threadIdx.x] : 0;
    __syncthreads();
    float sum = 0;
    for (int i = 0; i < 64; ++i) sum += s[i];
    q[threadIdx.x] = sum;
}
