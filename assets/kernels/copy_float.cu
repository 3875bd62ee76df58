/*
A copy with 32-bit accesses: one element a thread.

[lanescope]
grid = 4
block = 256

[buffers]
p = "f32 i:1024"
q = "f32 i:1024 = zeros, expect copy_of p"
*/
__global__ void __launch_bounds__(256) copy_float(const float *p, float *q)
{
    uint i = 256 * blockIdx.x + threadIdx.x;
    float x = p[i];

    q[i] = x;
}
