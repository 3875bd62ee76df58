/*
Before compute capability 9.0 shared memory begins at 0.

[lanescope]
block = 64
arch = "sm_80"

[buffers]
p = "f32 i:1024"
q = "f32 i:1024 = zeros"
*/
__global__ void __launch_bounds__(64) k(const float *p, float *q)
{
    __shared__ __align__(4096) float tile[64];
    tile[threadIdx.x] = p[threadIdx.x];
    __syncthreads();
    q[threadIdx.x] = tile[63 - threadIdx.x];
}
