/*
A stencil whose right neighbour beyond the block is not loaded.

[lanescope]
block = 64

[buffers]
p = "f32 i:1024"
q = "f32 i:1024 = zeros"
*/
__global__ void __launch_bounds__(64) k(const float *p, float *q)
{
    __shared__ float s[66];
    s[threadIdx.x + 1] = p[threadIdx.x + 1];
    if (threadIdx.x == 0) s[0] = p[0];
    __syncthreads();
    q[threadIdx.x] = s[threadIdx.x] + s[threadIdx.x + 2];  // finds
}
