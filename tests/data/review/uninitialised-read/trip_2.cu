/*
The sums begin with whatever shared memory holds.

[lanescope]
block = 64

[buffers]
p = "f32 i:1024"
q = "f32 i:1024 = zeros"
*/
__global__ void __launch_bounds__(64) k(const float *p, float *q)
{
    __shared__ float sum[64];
    for (int i = 0; i < 4; ++i)
        sum[threadIdx.x] += p[64 * i + threadIdx.x];  // finds
    q[threadIdx.x] = sum[threadIdx.x];
}
