/*
A barrier that stands where it has to.

[lanescope]
block = 64

[buffers]
p = "f32 i:2 k:32"
q = "f32 i:2 k:32 = zeros"
*/
__global__ void __launch_bounds__(64) k(const float *p, float *q)
{
    // lanescope: expect barrier-missing (// finds)
    __shared__ float tile[64];
    tile[threadIdx.x] = p[threadIdx.x];
    __syncthreads();
    q[threadIdx.x] = tile[63 - threadIdx.x];
}
