/* Block 0 makes a number that block 1 takes.
[lanescope]
grid = 2
block = 32
[buffers]
data = "s32 n:32 = zeros"
flag = "s32 n:1 = zeros"
out = "s32 n:32 = zeros"
*/
__global__ void __launch_bounds__(32) hand_over(int *data, int *flag, int *out)
{
    if (blockIdx.x == 0) {
        data[threadIdx.x] = 3 * threadIdx.x;
        __threadfence();
        __syncwarp();
        if (threadIdx.x == 0) atomicExch(flag, 1);
    } else {
        if (threadIdx.x == 0)
            while (atomicAdd(flag, 0) == 0) {}
        __syncwarp();
        __threadfence();
        out[threadIdx.x] = ((volatile int *)data)[threadIdx.x];
    }
}
