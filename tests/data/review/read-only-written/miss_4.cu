/*
One launch writes, the next one reads.

[lanescope]
block = 64

[[launch]]
kernel = "first"
args = ["p"]
[[launch]]
kernel = "k"

[buffers]
p = "s32 i:128"
q = "s32 i:128 = zeros"
*/
__global__ void __launch_bounds__(64) first(int *p) { p[threadIdx.x] = 7; }
__global__ void __launch_bounds__(64) k(int *p, int *q)
{
    const unsigned t = threadIdx.x;
    q[t] = __ldg(&p[t]);  // near
}
