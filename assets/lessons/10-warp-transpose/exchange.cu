/*
A warp transpose of floats: r0 and t2 change places.

[lanescope]
block = 32

[buffers]
p = "f32 j:2 k:32"

[buffers.q]
type = "f32"
axes = "j:2 k:32"
init = "zeros"
*/
__global__ void __launch_bounds__(32) exchange(const float *p, float *q)
{
    uint lane = threadIdx.x;
    float y0 = p[lane];
    float y1 = p[lane + 32];

    // y has the following register assignment:
    //   register:  r0              <->  j0
    //   thread:    t4 t3 t2 t1 t0  <->  k4 k3 k2 k1 k0

    float tmp = (lane & 0x8) ? y0 : y1;
    tmp = __shfl_sync(~0u, tmp, lane ^ 0x8);
    y0 = (lane & 0x8) ? tmp : y0;
    y1 = (lane & 0x8) ? y1 : tmp;

    // y has register assignment:
    //   register:  r0              <->  k2
    //   thread:    t4 t3 t2 t1 t0  <->  k4 k3 j0 k1 k0

    q[lane] = y0;
    q[lane + 32] = y1;
}
