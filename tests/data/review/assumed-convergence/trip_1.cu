/*
Behind an if and else all lanes are taken to be together.

[lanescope]
block = 32

[buffers]
p = "u32 i:1024"
q = "u32 i:1024 = zeros"
*/
__global__ void __launch_bounds__(32) k(const unsigned *p, unsigned *q)
{
    unsigned x = p[threadIdx.x];
    if (threadIdx.x < 16) q[threadIdx.x] = x / 3;
    else q[threadIdx.x] = x * x;
    if (__activemask() == 0xffffffff) q[threadIdx.x] += 1;  // finds
}
