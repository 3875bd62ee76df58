/*
A lock with acquire and release.

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
    if (threadIdx.x == 0) {
        unsigned old;
        do {
            asm volatile("atom.acquire.gpu.global.cas.b32 %0, [%1], 0, 1;" : "=r"(old) : "l"(n) : "memory");
        } while (old != 0);
        q[0] = q[0] + p[blockIdx.x];
        asm volatile("st.release.gpu.global.u32 [%0], 0;" ::"l"(n) : "memory");
    }
}
