/*
One lane sets the flag that the others wait for.

[lanescope]
block = 32

[buffers]
p = "f32 i:1024"
q = "f32 i:1024 = zeros"
n = "u32 i:64 = zeros"
*/
__global__ void __launch_bounds__(32) k(const float *p, float *q, unsigned *n)
{
    volatile unsigned *flag = n;
    if (threadIdx.x == 31) {
        q[0] = p[0];
        __threadfence();
        *flag = 1;
    } else {
        while (*flag == 0) {}  // finds
        q[threadIdx.x + 1] = p[threadIdx.x];
    }
}
