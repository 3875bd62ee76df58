/*
A conflict that is no longer there.

[lanescope]
block = 32

[buffers]
p = "f32 i:2 k:32"
q = "f32 i:2 k:32 = zeros"
*/
__global__ void __launch_bounds__(32) k(const float *p, float *q)
{
    // lanescope: expect bank-conflict (// finds)
    q[threadIdx.x] = p[threadIdx.x];
}
