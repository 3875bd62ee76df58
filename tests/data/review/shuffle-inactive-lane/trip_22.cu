/*
Lanes leave before all lanes are asked.

[lanescope]
block = 32

[buffers]
p = "u32 i:1024"
q = "u32 i:1024 = zeros"
*/
__global__ void __launch_bounds__(32) k(const unsigned *p, unsigned *q)
{
    unsigned lane = threadIdx.x % 32, x = p[threadIdx.x];
    if (lane >= 20) return;
    x += __shfl_down_sync(0xffffffff, x, 16);  // finds
    q[threadIdx.x] = x;
}
