/*
Pairs of words, a pair for each lane.

[lanescope]
block = 64

[buffers]
p = "f32 i:1024"
q = "f32 i:1024 = zeros"
*/
__constant__ float2 table[32];

__global__ void __launch_bounds__(64) k(const float *p, float *q)
{
    float2 v = table[threadIdx.x % 32];  // finds
    q[threadIdx.x] = p[threadIdx.x] + v.x + v.y;
}
