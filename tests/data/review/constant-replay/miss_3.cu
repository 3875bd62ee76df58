/*
One word in each turn of a loop.

[lanescope]
block = 64

[buffers]
p = "f32 i:1024"
q = "f32 i:1024 = zeros"
*/
__constant__ float table[64] = {1, 2, 3, 4};

__global__ void __launch_bounds__(64) k(const float *p, float *q)
{
    float sum = 0;
    #pragma unroll 1
    for (int i = 0; i < 8; ++i) sum += p[threadIdx.x + i] * table[i];  // near
    q[threadIdx.x] = sum;
}
