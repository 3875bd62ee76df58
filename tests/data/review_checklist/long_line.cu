/* A line longer than 32767.
[lanescope]
grid = 160
block = 256
[buffers]
p = "s32 n:40960"
q = "s32 n:40960 = zeros"
*/
__global__ void __launch_bounds__(256) twice(const int *p, int *q)
{
    const int at = blockIdx.x * blockDim.x + threadIdx.x;
    q[at] = 2 * p[at];
}
