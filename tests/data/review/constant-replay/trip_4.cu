/*
One lane reads another word than all others.

[lanescope]
block = 64

[buffers]
p = "f32 i:1024"
q = "f32 i:1024 = zeros"
*/
__constant__ float table[64] = {1, 2, 3, 4};

__global__ void __launch_bounds__(64) k(const float *p, float *q)
{
    q[threadIdx.x] = p[threadIdx.x] + table[threadIdx.x % 32 == 5 ? 1 : 2];  // finds
}
