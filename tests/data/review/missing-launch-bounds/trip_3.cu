/*
A template.

[lanescope]
kernel = "k<32>"
block = 32

[buffers]
p = "f32 i:1024"
q = "f32 i:1024 = zeros"
*/
template <int N>  // finds
__global__ void k(const float *p, float *q)
{
    q[threadIdx.x] = p[threadIdx.x + N];
}
