/*
Arrays of doubles, added up.

[lanescope]
block = 32

[buffers]
p = "f64 i:1024"
q = "f64 i:1024 = zeros"
*/
__global__ void __launch_bounds__(32) k(const double *p, double *q)
{
    q[threadIdx.x] = p[threadIdx.x] + p[threadIdx.x + 32];  // finds
}
