/*
A copy with 64-bit accesses: 2 elements a thread.

[lanescope]
grid = 4
block = 256

[buffers]
p = "f32 i:2048"
q = "f32 i:2048 = zeros, expect copy_of p"
*/
__global__ void __launch_bounds__(256) copy_float2(const float2 *p, float2 *q)
{
    uint i = 256 * blockIdx.x + threadIdx.x;
    float2 x = p[i];

    q[i] = x;
}
