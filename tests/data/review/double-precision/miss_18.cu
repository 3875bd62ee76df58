/*
A literal that is made a float where it stands, by the name that the file has for its type.

[lanescope]
block = 64

[buffers]
p = "f32 i:64"
q = "f32 i:64 = zeros"
*/
#define real float

__global__ void __launch_bounds__(64) k(const real *p, real *q)
{
    q[threadIdx.x] = (real)1.0 / p[threadIdx.x];  // near
}
