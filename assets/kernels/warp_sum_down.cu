/*
The sum of warp_sum with shuffles from above: in each of five steps a lane adds the value of the lane 16, 8, 4, 2, 1
further up. Lanes without one get their own value back and add it, so that only lane 0 holds the sum in the end: the
others hold sums of other, partly repeated elements. With warp_sum every lane has the sum, for as many shuffles.

[lanescope]
block = 32

[buffers]
p = "u32 i:32"

[buffers.q]
type = "u32"
axes = "i:32"
init = "zeros"
expect = "sha256 dd7726ce589ab154e2253b1d53ede418585531ab2a2c6bd0faf1d8754bff3d09"
*/
__global__ void __launch_bounds__(32) warp_sum_down(const uint *p, uint *q)
{
    uint sum = p[threadIdx.x];

    // sum has the following register assignment:
    //   thread:    t4 t3 t2 t1 t0  <->  i4 i3 i2 i1 i0

    for (uint distance = 16; distance > 0; distance /= 2) sum += __shfl_down_sync(0xffffffff, sum, distance);

    q[threadIdx.x] = sum;
}
