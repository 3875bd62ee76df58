/*
A promise that is kept: two arrays, one read, one written.

[lanescope]
block = 64
args = ["p", "q"]

[buffers]
p = "s32 i:128"
q = "s32 i:128 = zeros"
*/
__global__ void __launch_bounds__(64) k(const int *__restrict__ a, int *__restrict__ b)
{
    const unsigned t = threadIdx.x;
    b[t] = a[t + 1] + a[t];  // near
}
