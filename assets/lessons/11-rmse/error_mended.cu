/*
The sum of squared differences of two arrays, with an atomic for each block.

[lanescope]
grid = 8
block = 128

[buffers]
a = "s32 i:1024"
b = "s32 i:1024 = 500"
sum = { type = "u64", axes = "i:1", init = "zeros", expect = [89613824] }
*/
__global__ void __launch_bounds__(128) squares(const int *a, const int *b, unsigned long long *sum, uint n)
{
    __shared__ unsigned long long partial[4];
    uint i = 128 * blockIdx.x + threadIdx.x, lane = threadIdx.x % 32;

    long long d = i < n ? (long long)a[i] - b[i] : 0;
    unsigned long long own = d * d;
    for (uint mask = 16; mask > 0; mask /= 2) own += __shfl_xor_sync(0xffffffff, own, mask);

    if (lane == 0) partial[threadIdx.x / 32] = own;
    __syncthreads();
    if (threadIdx.x == 0) atomicAdd(sum, partial[0] + partial[1] + partial[2] + partial[3]);
}
