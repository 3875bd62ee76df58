/*
A row without its colon is read all the same.

[lanescope]
block = 32

[buffers]
p = "f32 i:2 k:32"
q = "f32 i:2 k:32 = zeros"
*/
__global__ void __launch_bounds__(32) k(const float *p, float *q)
{
    float x = p[threadIdx.x];

    // x has register assignment:
    //   thread     t4 t3 t2 t1 t0  <->  k4 k3 k2 k1 k0

    q[threadIdx.x] = x;
}
