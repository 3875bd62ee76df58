/*
A volatile look at what atomics change, before another atomic.

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
    const unsigned mine = (unsigned)p[threadIdx.x];
    if (*(volatile unsigned *)n < mine) atomicMax(n, mine);
}
