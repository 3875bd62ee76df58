/*
Allowed above the head.

[lanescope]
block = 32

[buffers]
p = "f32 i:1024"
q = "f32 i:1024 = zeros"
*/
// Any block size will do.
// lanescope: allow missing-launch-bounds
__global__ void k(const float *p, float *q)
{
    q[threadIdx.x] = p[threadIdx.x];
}
