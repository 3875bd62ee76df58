/*
A last block that is moved back, so that it ends with the array: equal values, nothing left out.

[lanescope]
grid = 16
block = 64

[buffers]
p = "f32 i:1000"
q = "f32 i:1000 = zeros"
*/
__global__ void __launch_bounds__(64) k(const float *p, float *q)
{
    unsigned first = 64 * blockIdx.x;
    if (first + 64 > 1000) first = 1000 - 64;
    q[first + threadIdx.x] = 2.0f * p[first + threadIdx.x];
}
