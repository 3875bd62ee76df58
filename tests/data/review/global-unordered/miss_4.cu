/*
A block waits for a flag that another one sets behind a fence.

[lanescope]
grid = 2
block = 32

[buffers]
p = "f32 i:1024"
q = "f32 i:1024 = zeros"
flag = "u32 i:1 = zeros"
*/
__global__ void __launch_bounds__(32) k(const float *p, float *q, volatile unsigned *flag)
{
    if (threadIdx.x != 0) return;
    if (blockIdx.x == 0) {
        q[0] = p[0];
        __threadfence();
        *flag = 1;
    } else {
        while (*flag == 0) {}
        __threadfence();
        q[1] = q[0];
    }
}
