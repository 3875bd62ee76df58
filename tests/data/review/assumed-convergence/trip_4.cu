/*
In a function that is inlined, with the constant first.

[lanescope]
block = 32

[buffers]
p = "u32 i:1024"
q = "u32 i:1024 = zeros"
*/
__device__ bool everybody()
{
    return 0xffffffffu == __activemask();  // finds
}

__global__ void __launch_bounds__(32) k(const unsigned *p, unsigned *q)
{
    unsigned x = p[threadIdx.x];
    q[threadIdx.x] = x;
    if (everybody()) q[threadIdx.x] = 2 * x;  // calls
}
