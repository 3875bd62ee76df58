/*
In the last block only, inside of a function.

[lanescope]
grid = 8
block = 64

[buffers]
p = "f32 i:1024"
q = "f32 i:1024 = zeros"
*/
__device__ float turned(const float *s, bool inside)
{
    if (inside) __syncthreads();  // finds
    return s[63 - threadIdx.x];
}

__global__ void __launch_bounds__(64) k(const float *p, float *q)
{
    __shared__ float s[64];
    s[threadIdx.x] = p[64 * blockIdx.x + threadIdx.x];
    q[64 * blockIdx.x + threadIdx.x] = turned(s, 64 * blockIdx.x + threadIdx.x < 480);  // calls
}
