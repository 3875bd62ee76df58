/*
In a function that the kernel calls.

[lanescope]
block = 64

[buffers]
p = "f32 i:1024"
q = "f32 i:1024 = zeros"
*/
__device__ __noinline__ float turned(float x)
{
    __shared__ __align__(16384) float tile[64];  // finds
    tile[threadIdx.x] = x;
    __syncthreads();
    return tile[63 - threadIdx.x];
}
__global__ void __launch_bounds__(64) k(const float *p, float *q)
{
    q[threadIdx.x] = turned(p[threadIdx.x]);
}
