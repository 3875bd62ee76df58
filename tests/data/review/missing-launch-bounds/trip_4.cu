/*
In a namespace.

[lanescope]
block = 32

[buffers]
p = "f32 i:1024"
q = "f32 i:1024 = zeros"
*/
namespace tiles {
__global__ void k(const float *p, float *q)  // finds
{
    q[threadIdx.x] = p[threadIdx.x];
}
}
