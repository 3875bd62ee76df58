/*
A volatile store and an atomic of another block.

[lanescope]
grid = 2
block = 32

[buffers]
p = "f32 i:1024"
q = "f32 i:1024 = zeros"
n = "u32 i:64 = zeros"
*/
__global__ void __launch_bounds__(32) k(const float *p, float *q, unsigned *n)
{
    if (threadIdx.x != 0) return;
    if (blockIdx.x == 0)
        atomicExch(n, 7u);
    else
        *(volatile unsigned *)n = 8u;
}
