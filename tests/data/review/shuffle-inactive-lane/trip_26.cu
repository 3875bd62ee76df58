/*
A sum over half a warp: all lanes store what they have, and all but the first have read from beyond the mask.

[lanescope]
block = 32

[buffers]
p = "u32 i:1024"
q = "u32 i:1024 = zeros"
*/
__global__ void __launch_bounds__(32) k(const unsigned *p, unsigned *q)
{
    unsigned lane = threadIdx.x % 32, x = p[threadIdx.x];
    if (lane < 16)
        for (unsigned distance = 8; distance > 0; distance /= 2) x += __shfl_down_sync(0x0000ffff, x, distance);
    q[threadIdx.x] = x;
}
