/* A template's claim holds for the instance that the header names.
[lanescope]
kernel = "gather<4>"
block = 64
[buffers]
p = "f32 w:2 r:4 t:32"
q = "f32 w:2 r:4 t:32 = zeros"
*/
template <int N>
__global__ void __launch_bounds__(64) gather(const float *p, float *q)
{
    const int at = (threadIdx.x / 32) * 32 * N + (threadIdx.x & 31);
    float keep[N];
    #pragma unroll
    for (int n = 0; n < N; ++n) keep[n] = p[at + 32 * n];
    // keep:
    //   register:  r1 r0
    //   thread:    t4 t3 t2 t1 t0
    //   warp:      w0
    #pragma unroll
    for (int n = 0; n < N; ++n) q[at + 32 * n] = keep[n];
}
