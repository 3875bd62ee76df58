/*
Counting in doubles.

[lanescope]
grid = 1
block = 64

[buffers]
p = "f32 i:128"
q = "f64 i:1 = zeros"
*/
__global__ void __launch_bounds__(64) k(const float *p, double *q)
{
    for (int i = threadIdx.x; i < 128; i += 64)
        if (p[i] >= 0) atomicAdd(q, 1.0);  // finds
}
