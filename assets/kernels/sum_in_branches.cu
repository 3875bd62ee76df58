/*
A sum over the warp in divergent code. Both sides of the branch call warp_sum with the mask of all lanes: the shuffles
wait for all of them, and each side gets the sum of both. Since compute capability 7.0 this is
allowed; on older machines it hung or read garbage. Inlined, too, the sum is right: lanes wait at two shuffles then,
which join as long as both are the same operation with the same mask. A vote on one side and a shuffle on the other
would wait for ever (sync-mismatch). warp_sum is the same without the branch; assume_convergence only assumes that
lanes reconverge.

[lanescope]
grid = 2
block = 64

[buffers]
p = "u32 i:128"

[buffers.q]
type = "u32"
axes = "i:128"
init = "zeros"
expect = "sha256 f3f5d54de16fdcb6942e7f6983e9545aa9a3c4e253454251086d96b42dc1ca50"
*/
__device__ __noinline__ uint warp_sum(uint v)
{
    for (uint mask = 16; mask > 0; mask /= 2) v += __shfl_xor_sync(0xffffffff, v, mask);
    return v;
}

__global__ void __launch_bounds__(64) sum_in_branches(const uint *p, uint *q)
{
    uint i = 64 * blockIdx.x + threadIdx.x, x = p[i];

    // x has the following register assignment:
    //   thread:    t4 t3 t2 t1 t0  <->  i4 i3 i2 i1 i0
    //   warp:      w0              <->  i5
    //   block:     b0              <->  i6

    // lanescope: expect divergence
    if (threadIdx.x % 32 < 12) q[i] = warp_sum(x);
    else q[i] = 3 * warp_sum(100 + x);
}
