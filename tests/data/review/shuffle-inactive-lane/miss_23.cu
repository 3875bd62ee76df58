/*
The last lanes keep their own.

[lanescope]
block = 32

[buffers]
p = "u32 i:1024"
q = "u32 i:1024 = zeros"
*/
__global__ void __launch_bounds__(32) k(const unsigned *p, unsigned *q)
{
    unsigned lane = threadIdx.x % 32, x = p[threadIdx.x];
    for (unsigned distance = 16; distance > 0; distance /= 2) x += __shfl_down_sync(0xffffffff, x, distance);
    q[threadIdx.x] = x;
}
