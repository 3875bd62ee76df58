/*
Neighbours in the last round of an unrolled loop only, and then for one lane.

[lanescope]
block = 64

[buffers]
p = "u32 i:1024"
q = "u32 i:1024 = zeros"
*/
__global__ void __launch_bounds__(64) k(const unsigned *p, unsigned *q)
{
    unsigned t = threadIdx.x;
    q[t] = p[t];
    __syncthreads();
    for (unsigned distance = 32; distance > 0; distance /= 2) {
        if (t < distance) q[t] += q[t + distance];
        __syncthreads();
    }
}
