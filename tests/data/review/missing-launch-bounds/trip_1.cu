/*
No bounds at all.

[lanescope]
block = 32

[buffers]
p = "f32 i:1024"
q = "f32 i:1024 = zeros"
*/
__global__ void k(const float *p, float *q)  // finds
{
    q[threadIdx.x] = p[threadIdx.x];
}
