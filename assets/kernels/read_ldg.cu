/*
The same as read_may_alias, and each load is an __ldg(), by which the programmer promises that nothing writes this
element while the kernel runs: it takes the read-only path (ld.global.nc), as with the pointers of read_restrict. The
compiler still repeats it after each store, and the prediction is 4 loads for each thread; the assembler, for
which such loads see no store, merges the four into one (an H200 counts 16 requests, not 64).

[lanescope]
grid = 4
block = 128

[buffers]
p = "f32 i:512"
q = "f32 k:4 i:512 = zeros"
*/
__global__ void __launch_bounds__(128) read_ldg(const float *p, float *q)
{
    uint i = 128 * blockIdx.x + threadIdx.x;

    float x = __ldg(&p[i]);

    // x has the following register assignment:
    //   thread:    t4 t3 t2 t1 t0  <->  i4 i3 i2 i1 i0
    //   warp:      w1 w0           <->  i6 i5
    //   block:     b1 b0           <->  i8 i7

    q[i] = x;
    q[512 + i] = __ldg(&p[i]) + 1;
    q[1024 + i] = __ldg(&p[i]) + 2;
    q[1536 + i] = __ldg(&p[i]) + 3;
}
