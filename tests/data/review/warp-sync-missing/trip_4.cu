/*
One lane writes for the others of its warp.

[lanescope]
block = 32

[buffers]
p = "f32 i:1024"
q = "f32 i:1024 = zeros"
*/
__global__ void __launch_bounds__(32) k(const float *p, float *q)
{
    __shared__ float s;
    if (threadIdx.x == 5) s = p[0];
    q[threadIdx.x] = s;  // finds
}
