/*
First wrong assumption of implicit warp synchrony: after an if and else the lanes are together again. The kernel calls
__activemask() there and takes a slow path if lanes are missing. On an H100 the lanes reconverge after this branch, but
not after every branch, and no document promises it. Lanes are together after a barrier of the warp or another operation with a mask,
as in sum_in_branches. copy_by_vote uses __activemask() correctly. The other two assumptions are assume_lockstep
and assume_order.

[lanescope]
block = 32

[buffers]
p = "u32 i:32"
q = "u32 i:32 = zeros"
*/
__global__ void __launch_bounds__(32) assume_convergence(const uint *p, uint *q)
{
    uint x = p[threadIdx.x];

    // x has the following register assignment:
    //   thread:    t4 t3 t2 t1 t0  <->  i4 i3 i2 i1 i0

    // lanescope: expect assumed-convergence, divergence
    if (threadIdx.x < 16) q[threadIdx.x] = x / 3;
    else q[threadIdx.x] = x * x;

    if (__activemask() == 0xffffffff) q[threadIdx.x] += 1000;
}
