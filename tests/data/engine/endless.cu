/*
[lanescope]
block = 32

[buffers]
p = "u32 i:32 = zeros"
*/
__global__ void endless(volatile unsigned *p)
{
    while (p[0] == 0)
        ;
    p[threadIdx.x] = 1;
}
