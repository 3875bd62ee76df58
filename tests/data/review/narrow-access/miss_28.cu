/*
Neighbours in the first round of an unrolled loop only.

[lanescope]
block = 64

[buffers]
p = "u32 i:1024"
q = "u32 i:1024 = zeros"
*/
__global__ void __launch_bounds__(64) k(const unsigned *p, unsigned *q)
{
    unsigned t = threadIdx.x, sum = 0;
    #pragma unroll
    for (unsigned distance = 1; distance < 64; distance *= 2) {
        sum += p[2 * t] + p[2 * t + distance];
        __syncthreads();
    }
    q[t] = sum;
}
