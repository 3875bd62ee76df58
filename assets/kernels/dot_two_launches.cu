/*
The dot product of dot_any, for more than the one block of dot_block, without atomics: the first launch leaves one sum
for each block, the second one adds them up. Blocks of one launch cannot wait for each other, but a launch begins
after the one before it has ended. The order of all additions is fixed, so that a sum of floats, too, would be the
same in every run.

[lanescope]
[[launch]]
kernel = "dot_products"
grid = 4
block = 128
args = ["x", "y", "partial", 5000]

[[launch]]
kernel = "dot_total"
block = 32
args = ["partial", "sum", 4]

[buffers]
x = "s32 i:5000"
y = "s32 i:5000 = 3"
partial = "s32 i:4 = zeros"
sum = { type = "s32", axes = "i:1", init = "zeros", expect = [37492500] }
*/
__global__ void __launch_bounds__(128) dot_products(const int *x, const int *y, int *partial, uint n)
{
    __shared__ int sums[128];

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
    sums[threadIdx.x] = own;
    __syncthreads();

    for (uint half = 64; half > 0; half /= 2) {
        if (threadIdx.x < half) sums[threadIdx.x] += sums[threadIdx.x + half];
        __syncthreads();
    }

    if (threadIdx.x == 0) partial[blockIdx.x] = sums[0];
}

__global__ void __launch_bounds__(32) dot_total(const int *partial, int *sum, uint blocks)
{
    int own = 0;
    // lanescope: expect divergence (four sums for 32 lanes)
    for (uint b = threadIdx.x; b < blocks; b += 32) own += partial[b];
    for (uint distance = 16; distance > 0; distance /= 2) own += __shfl_down_sync(0xffffffff, own, distance);
    if (threadIdx.x == 0) *sum = own;
}
