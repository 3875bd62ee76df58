/*
A warp waits for a flag of another block.

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
    volatile unsigned *flag = n;
    if (blockIdx.x == 1) {
        q[threadIdx.x] = p[threadIdx.x];
        __threadfence();
        __syncwarp();
        if (threadIdx.x == 0) *flag = 1;
    } else {
        while (*flag == 0) {}
        q[32 + threadIdx.x] = p[threadIdx.x];
    }
}
