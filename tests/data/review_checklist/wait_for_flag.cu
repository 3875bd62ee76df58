/* The second block waits until the first has set a flag.
[lanescope]
grid = 2
block = 32
[buffers]
flag = "s32 n:1 = zeros"
out = "s32 n:64 = zeros"
*/
__global__ void __launch_bounds__(32) in_turn(int *flag, int *out)
{
    if (blockIdx.x == 1)
        while (*(volatile int *)flag == 0) {}
    out[32 * blockIdx.x + threadIdx.x] = blockIdx.x;
    if (blockIdx.x == 0 && threadIdx.x == 0) *(volatile int *)flag = 1;
}
