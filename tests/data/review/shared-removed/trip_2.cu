/*
What is written is never read.

[lanescope]
block = 64

[buffers]
p = "f32 i:1024"
q = "f32 i:1024 = zeros"
*/
__global__ void __launch_bounds__(64) k(const float *p, float *q)
{
    __shared__ float last;  // finds
    last = p[threadIdx.x];
    q[threadIdx.x] = p[threadIdx.x];
}
