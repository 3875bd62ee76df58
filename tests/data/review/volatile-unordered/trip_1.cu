/*
Two blocks write different values to one element, by volatile stores.

[lanescope]
grid = 2
block = 32

[buffers]
p = "f32 i:1024"
q = "f32 i:1024 = zeros"
n = "u32 i:64 = zeros"
*/
__global__ void __launch_bounds__(32) k(const float *p, volatile float *q, unsigned *n)
{
    if (threadIdx.x == 0) q[0] = p[blockIdx.x];  // finds
}
