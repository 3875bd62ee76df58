/*
The sum of squared differences of two arrays, with an atomic for each element.

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
    uint i = 128 * blockIdx.x + threadIdx.x;
    if (i >= n) return;

    long long d = (long long)a[i] - b[i];
    atomicAdd(sum, (unsigned long long)(d * d));
}
