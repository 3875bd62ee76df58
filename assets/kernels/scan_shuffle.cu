/*
The inclusive prefix sum of a warp in five steps: a lane adds what the lane 1, 2, 4, 8, 16 further down holds, if there
is one. The shuffle is executed by all lanes, outside of the condition: a lane that did not take part would not deliver
its value either. scan_predicate takes the condition from the shuffle itself; scan_shared does the same through shared
memory.

[lanescope]
grid = 2
block = 128

[buffers]
p = "u32 i:256"

[buffers.q]
type = "u32"
axes = "i:256"
init = "zeros"
expect = "sha256 57fcb6b530c4d3c15d5f63cfc7ff37f069cdb0198e119615ecc4da90a6c818f6"
*/
__global__ void __launch_bounds__(128) scan_shuffle(const uint *p, uint *q)
{
    uint lane = threadIdx.x % 32, sum = p[128 * blockIdx.x + threadIdx.x];

    // sum has the following register assignment:
    //   thread:    t4 t3 t2 t1 t0  <->  i4 i3 i2 i1 i0
    //   warp:      w1 w0           <->  i6 i5
    //   block:     b0              <->  i7

    for (uint distance = 1; distance < 32; distance *= 2) {
        uint below = __shfl_up_sync(0xffffffff, sum, distance);
        if (lane >= distance) sum += below;
    }

    q[128 * blockIdx.x + threadIdx.x] = sum;
}
