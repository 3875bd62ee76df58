/*
Two halves of a tile are exchanged by an XOR of the address.

[lanescope]
block = 64

[buffers]
p = "f32 i:1024"
q = "f32 i:1024 = zeros"
*/
__global__ void __launch_bounds__(64) k(const float *p, float *q)
{
    __shared__ __align__(4096) float tile[64];  // finds
    tile[threadIdx.x] = p[threadIdx.x];
    __syncthreads();
    q[threadIdx.x] = tile[63 - threadIdx.x];
}
