/*
Used by a function that gets its address.

[lanescope]
block = 64

[buffers]
p = "f32 i:1024"
q = "f32 i:1024 = zeros"
*/
__device__ float mirrored(const float *t) { return t[63 - threadIdx.x]; }
__global__ void __launch_bounds__(64) k(const float *p, float *q)
{
    __shared__ float tile[64];
    tile[threadIdx.x] = p[threadIdx.x];
    __syncthreads();
    q[threadIdx.x] = mirrored(tile);
}
