/*
Checked.

[lanescope]
block = 32

[buffers]
p = "f32 i:2 k:32"
q = "f32 i:2 k:32 = zeros"
*/
__global__ void __launch_bounds__(32) k(const float *p, float *q)
{
    float x0 = p[threadIdx.x];
    float x1 = p[threadIdx.x + 32];

    // x has register assignment:
    //   register:  r0              <->  i0
    //   thread:    t4 t3 t2 t1 t0  <->  k4 k3 k2 k1 k0

    q[threadIdx.x] = x0;
    q[threadIdx.x + 32] = x1;
}
