/*
All lanes take the value of lane 0 by one shuffle whose source is the same everywhere. In broadcast_voted a vote
chooses the source.

[lanescope]
grid = 2
block = 64

[buffers]
p = "u32 i:128"

[buffers.q]
type = "u32"
axes = "i:128"
init = "zeros"
expect = "sha256 7dc80bcd66dad406cd5183d71fa926a9f62821aa30bcb871253a0c924280784e"
*/
__global__ void __launch_bounds__(64) broadcast_lane0(const uint *p, uint *q)
{
    uint x = p[64 * blockIdx.x + threadIdx.x];

    // x has the following register assignment:
    //   thread:    t4 t3 t2 t1 t0  <->  i4 i3 i2 i1 i0
    //   warp:      w0              <->  i5
    //   block:     b0              <->  i6

    x = __shfl_sync(0xffffffff, x, 0);

    // x has register assignment:
    //   thread:    t4 t3 t2 t1 t0  <->  [unused] [unused] [unused] [unused] [unused]
    //   warp:      w0              <->  i5
    //   block:     b0              <->  i6

    q[64 * blockIdx.x + threadIdx.x] = x;
}
