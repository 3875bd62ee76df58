/*
The same sum as in rmse_atomic, with one atomic a block, finished by shuffles: each warp adds up the sums of its lanes,
one lane of each stores the result in shared memory, and the first warp adds those. Warps arrive at a barrier 8 times
instead of 64 in rmse_contiguous, load from shared memory 2 times instead of 34, and a block needs 32 bytes of it
instead of 1,024.

[lanescope]
grid = 2
block = 128

[buffers]
a = "s32 i:1024"
b = "s32 i:1024 = 500"
sum = { type = "u64", axes = "i:1", init = "zeros", expect = [89613824] }
*/
typedef unsigned long long ulong64;

__device__ ulong64 warp_sum(ulong64 v)
{
    for (uint mask = 16; mask > 0; mask /= 2) v += __shfl_xor_sync(0xffffffff, v, mask);
    return v;
}

__global__ void __launch_bounds__(128) rmse_shuffle(const int *a, const int *b, ulong64 *sum, uint n)
{
    __shared__ ulong64 partial[4];
    uint lane = threadIdx.x % 32, warp = threadIdx.x / 32;

    ulong64 own = 0;
    #pragma unroll 1
    for (uint i = 128 * blockIdx.x + threadIdx.x; i < n; i += 128 * gridDim.x) {
        int x = a[i], y = b[i];

        // x has the following register assignment:
        //   thread:    t4 t3 t2 t1 t0  <->  i4 i3 i2 i1 i0
        //   warp:      w1 w0           <->  i6 i5

        // y has register assignment:
        //   thread:    t4 t3 t2 t1 t0  <->  i4 i3 i2 i1 i0
        //   warp:      w1 w0           <->  i6 i5

        long long d = (long long)x - y;
        own += (ulong64)(d * d);
    }

    own = warp_sum(own);
    if (lane == 0) partial[warp] = own;
    __syncthreads();

    if (warp == 0) {
        own = warp_sum(lane < 4 ? partial[lane] : 0);
        if (lane == 0) atomicAdd(sum, own);
    }
}
