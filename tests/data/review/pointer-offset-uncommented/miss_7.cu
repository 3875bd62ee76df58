/*
Two values of one declaration, each from a function that is given the pointer: the star is a product.

[lanescope]
grid = 2
block = 64

[buffers]
p = "u32 i:1024"
q = "u32 i:1024 = zeros"
*/
__device__ unsigned at(const unsigned *p, unsigned i)
{
    return p[i];
}

__global__ void __launch_bounds__(64) k(const unsigned *p, unsigned *q)
{
    unsigned i = 64 * blockIdx.x + threadIdx.x;
    unsigned first = at(p, 2 * i), second = at(p, i);
    q[i] = first + second;
}
