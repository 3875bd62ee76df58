/*
The last element of the tile is never written.

[lanescope]
block = 64

[buffers]
p = "f32 i:1024"
q = "f32 i:1024 = zeros"
*/
__global__ void __launch_bounds__(64) k(const float *p, float *q)
{
    __shared__ float s[65];
    s[threadIdx.x] = p[threadIdx.x];
    __syncthreads();
    q[threadIdx.x] = s[threadIdx.x + 1];  // finds
}
