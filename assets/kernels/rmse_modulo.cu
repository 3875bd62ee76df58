/*
The same sum as in rmse_atomic, with one atomic a block. The block's sums are combined in shared memory: in each round,
threads whose number is a multiple of twice the distance add their right neighbour's sum. The working threads lie
scattered, up to distance 16 in every warp, which stays half, quarter, ... empty, and they use the same banks.

[lanescope]
grid = 2
block = 128

[buffers]
a = "s32 i:1024"
b = "s32 i:1024 = 500"
sum = { type = "u64", axes = "i:1", init = "zeros", expect = [89613824] }
*/
typedef unsigned long long ulong64;

__global__ void __launch_bounds__(128) rmse_modulo(const int *a, const int *b, ulong64 *sum, uint n)
{
    __shared__ ulong64 partial[128];

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
    partial[threadIdx.x] = own;
    __syncthreads();

    for (uint distance = 1; distance < 128; distance *= 2) {
        // lanescope: expect bank-conflict, divergence
        if (threadIdx.x % (2 * distance) == 0) partial[threadIdx.x] += partial[threadIdx.x + distance];
        __syncthreads();
    }

    if (threadIdx.x == 0) atomicAdd(sum, partial[0]);
}
