/*
The largest value by compare-and-swap: no lock.

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
    unsigned old = *(volatile unsigned *)n;
    unsigned assumed;
    do {
        assumed = old;
        old = atomicCAS(n, assumed, max(assumed, (unsigned)p[threadIdx.x]));
    } while (old != assumed);
}
