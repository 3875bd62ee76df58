/*
One block hands a number to another, and nothing orders the number before the flag.

[lanescope]
grid = 2
block = 1

[buffers]
number = "u32 i:1 = zeros"
flag = "u32 i:1 = zeros"
q = { type = "u32", axes = "i:1", init = "zeros", expect = [7] }
*/
__global__ void __launch_bounds__(1) flag_without_fence(unsigned *number, unsigned *flag, unsigned *q)
{
    if (blockIdx.x == 0) {
        *number = 7;
        atomicExch(flag, 1);
    } else {
        while (atomicAdd(flag, 0) == 0) {}
        *q = *number;
    }
}
