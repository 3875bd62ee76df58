/*
Bounds before void.

[lanescope]
block = 32

[buffers]
p = "f32 i:1024"
q = "f32 i:1024 = zeros"
*/
__launch_bounds__(32) __global__ void k(const float *p, float *q)
{
    q[threadIdx.x] = p[threadIdx.x];
}
