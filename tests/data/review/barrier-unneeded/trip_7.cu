/*
Each thread reads back its own element of global memory.

[lanescope]
block = 64

[buffers]
p = "f32 i:1024"
q = "f32 i:1024 = zeros"
*/
__global__ void __launch_bounds__(64) k(const float *p, float *q)
{
    q[threadIdx.x] = p[threadIdx.x];
    __syncthreads();  // finds
    q[threadIdx.x] += 1.0f;
}
