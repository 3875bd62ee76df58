/*
The same sum as in rmse_atomic, with one atomic a block. In each round of the reduction the lower half of the threads
adds the upper half's sums: the working threads lie side by side, so that whole warps work or rest, until one warp is
left.

[lanescope]
grid = 2
block = 128

[buffers]
a = "s32 i:1024"
b = "s32 i:1024 = 500"
sum = { type = "u64", axes = "i:1", init = "zeros", expect = [89613824] }
*/
typedef unsigned long long ulong64;

__global__ void __launch_bounds__(128) rmse_contiguous(const int *a, const int *b, ulong64 *sum, uint n)
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

    for (uint half = 64; half > 0; half /= 2) {
        if (threadIdx.x < half) partial[threadIdx.x] += partial[threadIdx.x + half];
        __syncthreads();
    }

    if (threadIdx.x == 0) atomicAdd(sum, partial[0]);
}
