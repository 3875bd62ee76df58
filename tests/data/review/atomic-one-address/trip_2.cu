/*
Integers of 64 bits are not combined either. Each thread has added up its own elements before.

[lanescope]
grid = 2
block = 64

[buffers]
p = "u64 i:512"
q = "u64 i:1 = zeros"
*/
typedef unsigned long long ulong64;
__global__ void __launch_bounds__(64) k(const ulong64 *p, ulong64 *q)
{
    ulong64 own = 0;
    for (int i = 64 * blockIdx.x + threadIdx.x; i < 512; i += 128) own += p[i];
    atomicAdd(q, own);  // finds
}
