/*
Meant, and allowed.

[lanescope]
block = 32

[buffers]
p = "f32 i:1024"
q = "f32 i:1024 = zeros"
*/
__global__ void __launch_bounds__(32) k(const float *p, float *q)
{
    // Sums in double on purpose.
    // lanescope: allow double-precision
    q[threadIdx.x] = p[threadIdx.x] * 1.1;
}
