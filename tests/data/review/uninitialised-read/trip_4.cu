/*
Nobody writes the input.

[lanescope]
block = 64

[buffers]
p = "f32 i:64 = uninitialised"
q = "f32 i:1024 = zeros"
*/
__global__ void __launch_bounds__(64) k(const float *p, float *q)
{
    q[threadIdx.x] = 2.0f * p[threadIdx.x];  // finds
}
