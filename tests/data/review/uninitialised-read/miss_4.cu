/*
The buffer is written by the launch before.

[lanescope]

[[launch]]
kernel = "fill"
block = 64

[[launch]]
kernel = "k"
block = 64

[buffers]
p = "f32 i:64 = uninitialised"
q = "f32 i:64 = zeros"
*/
__global__ void __launch_bounds__(64) fill(float *p)
{
    p[threadIdx.x] = threadIdx.x;
}
__global__ void __launch_bounds__(64) k(const float *p, float *q)
{
    q[threadIdx.x] = p[threadIdx.x];
}
