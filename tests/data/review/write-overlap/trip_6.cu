/*
Elements of two bytes, written two at a time.

[lanescope]
grid = 8
block = 32

[buffers]
p = "f16 i:512"
q = "f16 i:512 = zeros"
*/
__global__ void __launch_bounds__(32) k(const unsigned *p, unsigned *q)
{
    q[16 * blockIdx.x + threadIdx.x] = p[32 * blockIdx.x + threadIdx.x];  // finds
}
