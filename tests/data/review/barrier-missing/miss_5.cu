/*
Both warps write the same value.

[lanescope]
block = 64

[buffers]
p = "f32 i:1024"
q = "f32 i:1024 = zeros"
*/
__global__ void __launch_bounds__(64) k(const float *p, float *q)
{
    __shared__ float s;
    s = 3.0f;
    __syncthreads();
    q[threadIdx.x] = p[threadIdx.x] * s;
}
