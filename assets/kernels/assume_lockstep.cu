/*
Second wrong assumption of implicit warp synchrony: lanes that were together a moment ago still are. The first
__activemask() returns all 32 lanes; nothing guarantees that the second one does, inside of the branch that the first
one opened. The first mask should be kept and passed to an operation that waits for its lanes, as in
copy_by_vote. The other two assumptions are assume_convergence and assume_order.

[lanescope]
block = 32

[buffers]
p = "u32 i:32"
q = "u32 i:32 = zeros"
*/
__global__ void __launch_bounds__(32) assume_lockstep(const uint *p, uint *q)
{
    uint x = p[threadIdx.x];

    // x has the following register assignment:
    //   thread:    t4 t3 t2 t1 t0  <->  i4 i3 i2 i1 i0

    // lanescope: expect assumed-convergence
    if (__activemask() == 0xffffffff) {
        q[threadIdx.x] = 3 * x;
        if (__activemask() == 0xffffffff) q[threadIdx.x] += 1;
    }
}
