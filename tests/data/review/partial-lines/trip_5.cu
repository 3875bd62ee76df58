/*
An array of three floats in each thread.

[lanescope]
block = 32

[buffers]
p = "f32 i:1024"
q = "f32 i:1024 = zeros"
*/
__global__ void __launch_bounds__(32) k(const float *p, float *q)
{
    float x = p[3 * threadIdx.x] + p[3 * threadIdx.x + 1] + p[3 * threadIdx.x + 2];  // finds
    q[threadIdx.x] = x;
}
