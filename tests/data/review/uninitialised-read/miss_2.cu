/*
Structures with bytes between their members are copied whole.

[lanescope]
block = 64

[buffers]
p = "u8 i:1024"
q = "u64 i:1024 = zeros"
*/
struct Pair {
    unsigned char a;
    unsigned b;
};
__global__ void __launch_bounds__(64) k(const unsigned char *p, unsigned long long *q)
{
    __shared__ __align__(8) Pair s[64];
    s[threadIdx.x].a = p[threadIdx.x];
    s[threadIdx.x].b = threadIdx.x;
    __syncthreads();
    q[threadIdx.x] = ((volatile unsigned long long *)s)[63 - threadIdx.x];
}
