/*
Bytes: a warp wants a quarter of a line.

[lanescope]
block = 32

[buffers]
p = "u8 i:1024"
q = "u8 i:1024 = zeros"
*/
__global__ void __launch_bounds__(32) k(const unsigned char *p, unsigned char *q)
{
    q[threadIdx.x] = p[threadIdx.x];  // finds
}
