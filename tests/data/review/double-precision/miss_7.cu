/*
sinf and its slow path for large arguments.

[lanescope]
block = 32

[buffers]
p = "f32 i:1024"
q = "f32 i:1024 = zeros"
*/
__global__ void __launch_bounds__(32) k(const float *p, float *q)
{
    q[threadIdx.x] = sinf(p[threadIdx.x]);
}
