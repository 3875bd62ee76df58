/* A function with a contract, used by a kernel.
[lanescope]
block = 32
[buffers]
p = "f32 r:4 t:32"
q = "f32 r:4 t:32 = zeros"
*/
// Turns a 4 x 4 tile that four neighbouring lanes hold.
// On input, x has register assignment
//   register:  r1 r0
//   thread:    t4 t3 t2 t1 t0
// On output, x has register assignment
//   register:  t1 t0
//   thread:    t4 t3 t2 r1 r0
__device__ void turn4(float (&x)[4])
{
    for (int bit = 1; bit < 4; bit *= 2) {
        const bool up = threadIdx.x & bit;
        for (int k = 0; k < 4; ++k) {
            if (k & bit) continue;
            const float give = up ? x[k] : x[k + bit];
            const float get = __shfl_xor_sync(0xffffffff, give, bit);
            if (up) x[k] = get; else x[k + bit] = get;
        }
    }
}

__global__ void __launch_bounds__(32) turn_all(const float *p, float *q)
{
    float x[4];
    for (int k = 0; k < 4; ++k) x[k] = p[32 * k + threadIdx.x];
    turn4(x);
    for (int k = 0; k < 4; ++k) q[32 * k + threadIdx.x] = x[k];
}
