/*
Dynamic shared memory.

[lanescope]
block = 64
shared = 256

[buffers]
p = "f32 i:1024"
q = "f32 i:1024 = zeros"
*/
extern __shared__ __align__(8192) float tile[];  // finds
__global__ void __launch_bounds__(64) k(const float *p, float *q)
{
    tile[threadIdx.x] = p[threadIdx.x];
    __syncthreads();
    q[threadIdx.x] = tile[63 - threadIdx.x];
}
