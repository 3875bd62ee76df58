/*
Tiles with a halo: what is read overlaps, what is written does not.

[lanescope]
grid = 16
block = 64

[buffers]
p = "f32 i:1024"
q = "f32 i:1024 = zeros"
*/
__global__ void __launch_bounds__(64) k(const float *p, float *q)
{
    unsigned at = 62 * blockIdx.x + threadIdx.x;
    float x = at < 992 ? p[at] : 0.0f;
    if (threadIdx.x > 0 && threadIdx.x < 63 && at < 992) q[at] = x + p[at - 1] + p[at + 1];
}
