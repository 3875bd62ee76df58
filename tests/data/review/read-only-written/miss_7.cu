/*
A structure: one member is read, another one written.

[lanescope]
block = 32

[buffers]
p = "s32 i:128"
q = "s32 i:128 = zeros"
*/
struct Pair { int read, written; };
__global__ void __launch_bounds__(32) k(Pair *p, int *q)
{
    const unsigned t = threadIdx.x;
    q[t] = __ldg(&p[t].read);  // near
    p[t].written = t;
}
