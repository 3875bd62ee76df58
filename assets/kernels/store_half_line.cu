/*
Half of the lanes store: 64 bytes in a row are 1 request of 2 sectors, half of what store_line sends. In
store_three_sectors the sectors do not lie side by side.

[lanescope]
grid = 4
block = 128

[buffers]
p = "f32 i:512"
q = "f32 i:1024 = zeros"
*/
__global__ void __launch_bounds__(128) store_half_line(const float *p, float *q)
{
    uint i = 128 * blockIdx.x + threadIdx.x, lane = threadIdx.x % 32;

    float x = p[i];

    // x has the following register assignment:
    //   thread:    t4 t3 t2 t1 t0  <->  i4 i3 i2 i1 i0
    //   warp:      w1 w0           <->  i6 i5
    //   block:     b1 b0           <->  i8 i7

    // lanescope: expect divergence
    if (lane < 16) q[i] = x;
}
