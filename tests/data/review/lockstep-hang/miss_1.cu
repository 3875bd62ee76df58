/*
The lane that has the lock works inside of the loop.

[lanescope]
block = 32

[buffers]
p = "f32 i:1024"
q = "f32 i:1024 = zeros"
n = "u32 i:64 = zeros"
*/
__global__ void __launch_bounds__(32) k(const float *p, float *q, unsigned *n)
{
    bool done = false;
    while (!done) {
        if (atomicCAS(n, 0u, 1u) == 0u) {
            __threadfence();
            q[0] = q[0] + p[threadIdx.x];
            __threadfence();
            atomicExch(n, 0u);
            done = true;
        }
    }
}
