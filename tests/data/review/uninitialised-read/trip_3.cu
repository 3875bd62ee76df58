/*
A flag that no thread sets before it is asked.

[lanescope]
block = 64

[buffers]
p = "f32 i:1024"
q = "f32 i:1024 = zeros"
*/
__global__ void __launch_bounds__(64) k(const float *p, float *q)
{
    __shared__ int flags[64];
    if (p[threadIdx.x] < 0.0f) flags[threadIdx.x] = 1;
    if (flags[threadIdx.x] != 0)  // finds
        q[threadIdx.x] = p[threadIdx.x];
}
