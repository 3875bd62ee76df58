/*
scan_shuffle with the predicate that the instruction delivers beside the value: it is true where the source lane
exists, so that no comparison of lane numbers is needed: 232 instructions instead of 336, as predicted from the PTX.
CUDA C++ has no function for it, hence the inline PTX.

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
__global__ void __launch_bounds__(128) scan_predicate(const uint *p, uint *q)
{
    uint sum = p[128 * blockIdx.x + threadIdx.x];

    // sum has the following register assignment:
    //   thread:    t4 t3 t2 t1 t0  <->  i4 i3 i2 i1 i0
    //   warp:      w1 w0           <->  i6 i5
    //   block:     b0              <->  i7

    for (uint distance = 1; distance < 32; distance *= 2)
        asm volatile("{\n"
                     "  .reg .u32 below;\n"
                     "  .reg .pred there;\n"
                     "  shfl.sync.up.b32 below|there, %0, %1, 0, 0xffffffff;\n"
                     "  @there add.u32 %0, %0, below;\n"
                     "}"
                     : "+r"(sum)
                     : "r"(distance));

    q[128 * blockIdx.x + threadIdx.x] = sum;
}
