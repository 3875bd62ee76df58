/*
A store of 16 bytes a thread, moved by 8.

[lanescope]
grid = 8
block = 64

[buffers]
p = "f32 i:2048"
q = "f32 i:2048 = zeros"
*/
__global__ void __launch_bounds__(64) k(const float *p, float *q)
{
    ((float4 *)q)[threadIdx.x + 32 * blockIdx.x] = ((const float4 *)p)[threadIdx.x + 32 * blockIdx.x];  // finds
}
