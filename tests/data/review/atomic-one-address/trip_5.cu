/*
A maximum of 64 bits, of about half of the lanes, within a function.

[lanescope]
grid = 2
block = 64

[buffers]
p = "u64 i:128"
q = "u64 i:1 = zeros"
*/
typedef unsigned long long ulong64;
__device__ void note(ulong64 *most, ulong64 x)
{
    atomicMax(most, x);  // finds
}
__global__ void __launch_bounds__(64) k(const ulong64 *p, ulong64 *q)
{
    if (threadIdx.x % 2 == 0) note(q, p[64 * blockIdx.x + threadIdx.x]);  // calls
}
