/*
Lanes with equal keys find each other: __match_any_sync returns to every lane the lanes with its key. The lowest of them
counts for all, with one atomic a key and warp instead of one a lane; atomics of one warp at one address are executed
one after the other. group_labelled divides a warp in the same way and gives each part its own operations.

[lanescope]
grid = 2
block = 64

[buffers]
p = "u32 i:128"

[buffers.q]
type = "u32"
axes = "k:5"
init = "zeros"
expect = "sha256 6e93955908043a6bac2d0aac93bb85c1e9e99ce8bc48d81208461c8de8ceeb29"
*/
__global__ void __launch_bounds__(64) match_any(const uint *p, uint *q)
{
    uint lane = threadIdx.x % 32, x = p[64 * blockIdx.x + threadIdx.x];

    // x has the following register assignment:
    //   thread:    t4 t3 t2 t1 t0  <->  i4 i3 i2 i1 i0
    //   warp:      w0              <->  i5
    //   block:     b0              <->  i6

    // lanescope: expect divergence (one lane a key counts)
    uint key = x % 7 % 5;

    // key has register assignment:
    //   thread:    t4 t3 t2 t1 t0  <->  i4 i3 i2 i1 i0
    //   warp:      w0              <->  i5
    //   block:     b0              <->  i6

    uint same = __match_any_sync(0xffffffff, key);
    if (lane == __ffs(same) - 1) atomicAdd(&q[key], __popc(same));
}
