/*
Three quarters of the lanes store, each eight of them another sector, with a sector left out between: 1 request of 3
sectors in 2 lines. store_line and store_half_line store sectors that lie side by side.

[lanescope]
grid = 4
block = 128

[buffers]
p = "f32 i:512"
q = "f32 i:1024 = zeros"
*/
__global__ void __launch_bounds__(128) store_three_sectors(const float *p, float *q)
{
    uint i = 128 * blockIdx.x + threadIdx.x, lane = threadIdx.x % 32;

    float x = p[i];

    // x has the following register assignment:
    //   thread:    t4 t3 t2 t1 t0  <->  i4 i3 i2 i1 i0
    //   warp:      w1 w0           <->  i6 i5
    //   block:     b1 b0           <->  i8 i7

    // lanescope: expect divergence
    if (lane < 24) q[2 * (i - lane) + lane + lane / 8 * 8] = x;
}
