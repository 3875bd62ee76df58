/*
An atomic sets the flag.

[lanescope]
grid = 4
block = 32

[buffers]
p = "f32 i:1024"
q = "u32 i:64 = zeros"
*/
__global__ void __launch_bounds__(32) k(const float *p, unsigned *q)
{
    if (p[threadIdx.x] > -1e30f) atomicOr(&q[0], 1u);
}
