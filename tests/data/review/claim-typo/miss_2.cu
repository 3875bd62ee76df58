/*
An arrow in prose.

[lanescope]
block = 32

[buffers]
p = "f32 i:2 k:32"
q = "f32 i:2 k:32 = zeros"
*/
__global__ void __launch_bounds__(32) k(const float *p, float *q)
{
    float x0 = p[threadIdx.x];
    float x1 = p[threadIdx.x + 32];

    // Exchange r0 <-> t2, then store. The warp: one row; the block: all.
    q[threadIdx.x] = x0;
    q[threadIdx.x + 32] = x1;
}
