/*
An index from memory that nobody has written.

[lanescope]
block = 64

[buffers]
p = "f32 i:1024"
q = "f32 i:1024 = zeros"
*/
__global__ void __launch_bounds__(64) k(const float *p, float *q)
{
    __shared__ unsigned order[64];
    if (threadIdx.x < 32) order[threadIdx.x] = 31 - threadIdx.x;
    __syncthreads();
    q[threadIdx.x] = p[order[threadIdx.x] & 1023];  // finds
}
