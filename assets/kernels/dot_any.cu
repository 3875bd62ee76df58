/*
The dot product of any number of elements, by any number of blocks: each thread adds up the products of a grid-stride
loop, each block its threads' sums in shared memory, and one atomic a block adds them together. dot_block is the same
for one block, dot_two_launches has a second launch instead of the atomics.

[lanescope]
grid = 4
block = 128

[buffers]
x = "s32 i:5000"
y = "s32 i:5000 = 3"
sum = { type = "s32", axes = "i:1", init = "zeros", expect = [37492500] }
*/
__global__ void __launch_bounds__(128) dot_any(const int *x, const int *y, int *sum, uint n)
{
    __shared__ int partial[128];

    int own = 0;
    #pragma unroll 1
    for (uint i = 128 * blockIdx.x + threadIdx.x; i < n; i += 128 * gridDim.x) {
        int a = x[i], b = y[i];

        // a has the following register assignment:
        //   thread:    t4 t3 t2 t1 t0  <->  i4 i3 i2 i1 i0
        //   warp:      w1 w0           <->  i6 i5

        // b has register assignment:
        //   thread:    t4 t3 t2 t1 t0  <->  i4 i3 i2 i1 i0
        //   warp:      w1 w0           <->  i6 i5

        own += a * b;
    }
    partial[threadIdx.x] = own;
    __syncthreads();

    for (uint half = 64; half > 0; half /= 2) {
        if (threadIdx.x < half) partial[threadIdx.x] += partial[threadIdx.x + half];
        __syncthreads();
    }

    if (threadIdx.x == 0) atomicAdd(sum, partial[0]);
}
