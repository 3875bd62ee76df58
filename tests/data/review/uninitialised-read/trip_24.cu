/*
Dynamic shared memory, one element further than was stored.

[lanescope]
block = 64
shared = 512

[buffers]
p = "f32 i:1024"
q = "f32 i:1024 = zeros"
*/
__global__ void __launch_bounds__(64) k(const float *p, float *q)
{
    extern __shared__ float s[];
    s[threadIdx.x] = p[threadIdx.x];
    __syncthreads();
    q[threadIdx.x] = s[threadIdx.x + 1];  // finds
}
