/*
Words of its own, but one lane alone.

[lanescope]
block = 64

[buffers]
p = "f32 i:1024"
q = "f32 i:1024 = zeros"
*/
__constant__ float table[64] = {1, 2, 3, 4};

__global__ void __launch_bounds__(64) k(const float *p, float *q)
{
    if (threadIdx.x == 3) q[0] = table[threadIdx.x];  // near
}
