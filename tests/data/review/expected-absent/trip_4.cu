/*
Silenced at its statement, so that nothing is left to expect.

[lanescope]
block = 32

[buffers]
p = "f32 i:2 k:32"
q = "f32 i:2 k:32 = zeros"
*/
__global__ void __launch_bounds__(32) k(const float *p, float *q)
{
    // lanescope: expect double-precision (// finds)
    q[threadIdx.x] = static_cast<float>(p[threadIdx.x] * 1.1);  // lanescope: allow double-precision
}
