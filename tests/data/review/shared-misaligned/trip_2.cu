/*
As C++ has it, and behind another variable.

[lanescope]
block = 64

[buffers]
p = "f32 i:1024"
q = "f32 i:1024 = zeros"
*/
__global__ void __launch_bounds__(64) k(const float *p, float *q)
{
    __shared__ int turn;
    alignas(2048) __shared__ float tile[64];  // finds
    if (threadIdx.x == 0) turn = 1;
    tile[threadIdx.x] = p[threadIdx.x];
    __syncthreads();
    q[threadIdx.x] = tile[63 - threadIdx.x] + turn;
}
