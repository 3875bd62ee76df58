/*
All lanes take the value of the last lane whose value is a multiple of 7. A vote returns the lanes that voted yes; the
highest bit of the result is the source of the shuffle, the same in all lanes, so that the branch around it does not
diverge. If no lane votes yes, every lane keeps its own. broadcast_lane0 needs no vote, as the source is
fixed.

[lanescope]
grid = 2
block = 64

[buffers]
p = "u32 i:128"

[buffers.q]
type = "u32"
axes = "i:128"
init = "zeros"
expect = "sha256 9831f1132bc03c0166349c3908c4db46c49d2bdbc3bac2148a99e4afa733ab8b"
*/
__global__ void __launch_bounds__(64) broadcast_voted(const uint *p, uint *q)
{
    uint x = p[64 * blockIdx.x + threadIdx.x];

    // x has the following register assignment:
    //   thread:    t4 t3 t2 t1 t0  <->  i4 i3 i2 i1 i0
    //   warp:      w0              <->  i5
    //   block:     b0              <->  i6

    uint vote = __ballot_sync(0xffffffff, x % 7 == 0);
    if (vote != 0) x = __shfl_sync(0xffffffff, x, 31 - __clz(vote));

    q[64 * blockIdx.x + threadIdx.x] = x;
}
