/*
The dot product of up to 1,024 elements by one block: a product for each thread, 0 after the end, then the sum in
shared memory, half of the threads in each round. dot_any takes any number of elements and blocks, dot_two_launches
does so without atomics.

[lanescope]
block = 1024

[buffers]
x = "s32 i:1000"
y = "s32 i:1000 = 3"
sum = { type = "s32", axes = "i:1", init = "zeros", expect = [1498500] }
*/
__global__ void __launch_bounds__(1024) dot_block(const int *x, const int *y, int *sum, uint n)
{
    __shared__ int partial[1024];
    uint i = threadIdx.x;

    partial[i] = i < n ? x[i] * y[i] : 0;
    __syncthreads();

    for (uint half = 512; half > 0; half /= 2) {
        if (i < half) partial[i] += partial[i + half];
        __syncthreads();
    }

    if (i == 0) *sum = partial[0];
}
