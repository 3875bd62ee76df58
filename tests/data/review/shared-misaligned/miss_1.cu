/*
As tensor copies want it.

[lanescope]
block = 64

[buffers]
p = "f32 i:1024"
q = "f32 i:1024 = zeros"
*/
__global__ void __launch_bounds__(64) k(const float *p, float *q)
{
    __shared__ __align__(1024) float tile[64];
    tile[threadIdx.x] = p[threadIdx.x];
    __syncthreads();
    q[threadIdx.x] = tile[63 - threadIdx.x];
}
