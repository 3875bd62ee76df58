/*
A copy with 128-bit accesses: 4 elements a thread.

[lanescope]
grid = 4
block = 256

[buffers]
p = "f32 i:4096"
q = "f32 i:4096 = zeros, expect copy_of p"
*/
__global__ void __launch_bounds__(256) copy_float4(const float4 *p, float4 *q)
{
    uint i = 256 * blockIdx.x + threadIdx.x;
    float4 x = p[i];

    q[i] = x;
}
