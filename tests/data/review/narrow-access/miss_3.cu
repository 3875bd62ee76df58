/*
Consecutive, but never aligned to 8 bytes.

[lanescope]
block = 32

[buffers]
p = "f32 i:1024"
q = "f32 i:1024 = zeros"
*/
__global__ void __launch_bounds__(32) k(const float *p, float *q)
{
    unsigned i = 4 * threadIdx.x + 1;
    q[threadIdx.x] = p[i] * p[i + 1];
}
