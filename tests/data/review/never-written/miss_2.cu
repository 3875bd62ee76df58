/*
A row of the array is longer than what is stored: the rest is a hole.

[lanescope]
grid = 8
block = 24

[buffers]
p = "f32 y:8/32 x:24"
q = "f32 y:8/32 x:24 = uninitialised"
*/
__global__ void __launch_bounds__(32) k(const float *p, float *q)
{
    const int i = blockIdx.x * 32 + threadIdx.x;
    q[i] = p[i] + 1.0f;
}
