/*
[lanescope]
block = 32

[buffers]
p = "f64 i:2 j:32"
q = "f64 i:2 j:32 = zeros"
*/
__global__ void wide(const double *p, double *q)
{
    double x0 = p[threadIdx.x];
    double x1 = p[threadIdx.x + 32];
    // x has the following register assignment:
    //   register: i0
    //   thread:   j4 j3 j2 j1 j0
    q[threadIdx.x] = x1;
    q[threadIdx.x + 32] = x0;
}
