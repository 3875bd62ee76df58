/*
No kernel of this launch has the aligned one.

[lanescope]
kernel = "k"
block = 64

[buffers]
p = "f32 i:1024"
q = "f32 i:1024 = zeros"
*/
__global__ void other(const float *p, float *q)
{
    __shared__ __align__(4096) float tile[64];
    tile[threadIdx.x] = p[threadIdx.x];
    __syncthreads();
    q[threadIdx.x] = tile[63 - threadIdx.x];
}
__global__ void __launch_bounds__(64) k(const float *p, float *q)
{
    __shared__ float tile[64];
    tile[threadIdx.x] = p[threadIdx.x];
    __syncthreads();
    q[threadIdx.x] = tile[63 - threadIdx.x];
}
