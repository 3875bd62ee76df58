/*
A flag that is taken by exchange: who sets it is another thread.

[lanescope]
block = 64

[buffers]
p = "f32 i:1024"
q = "f32 i:1024 = zeros"
n = "u32 i:64 = zeros"
*/
__global__ void __launch_bounds__(64) k(const float *p, float *q, unsigned *n)
{
    volatile float *data = q;
    if (threadIdx.x == 0) {
        while (atomicExch(n, 0u) == 0u) {}
        q[1] = data[0];
    } else if (threadIdx.x == 32) {
        data[0] = p[0];
        __threadfence();
        atomicExch(n, 1u);
    }
}
