/*
The promise of two pointers that they name different arrays, and one array for both.

[lanescope]
block = 64
args = ["p", "p"]

[buffers]
p = "s32 i:128"
*/
__global__ void __launch_bounds__(64) k(const int *__restrict__ a, int *__restrict__ b)
{
    const unsigned t = threadIdx.x;
    const int x = a[t + 1];  // finds
    b[t] = x + 1;
}
