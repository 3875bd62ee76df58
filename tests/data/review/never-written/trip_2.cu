/*
The rim of a plate.

[lanescope]
grid = [2, 4]
block = [32, 8]

[buffers]
p = "f32 y:32 x:64"
q = "f32 y:32 x:64 = uninitialised"
*/
__global__ void __launch_bounds__(256) k(const float *p, float *q)
{
    const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y, i = 64 * y + x;
    if (x == 0 || x == 63 || y == 0 || y == 31) return;
    q[i] = 0.25f * (p[i - 1] + p[i + 1] + p[i - 64] + p[i + 64]);  // finds
}
