/*
A loop in which the last barrier orders the next round.

[lanescope]
block = 64

[buffers]
p = "f32 i:1024"
q = "f32 i:1024 = zeros"
*/
__global__ void __launch_bounds__(64) k(const float *p, float *q)
{
    __shared__ float s[64];
    for (int i = 0; i < 3; ++i) {
        s[threadIdx.x] = p[threadIdx.x + 64 * i];
        __syncthreads();
        q[threadIdx.x + 64 * i] = s[63 - threadIdx.x];
        __syncthreads();
    }
}
