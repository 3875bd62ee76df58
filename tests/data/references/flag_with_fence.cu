/*
One block hands a number to another: a fence orders the number before the flag, and the atomic that reads the flag is followed by
one, too.

[lanescope]
grid = 2
block = 1

[buffers]
number = "u32 i:1 = zeros"
flag = "u32 i:1 = zeros"
q = { type = "u32", axes = "i:1", init = "zeros", expect = [7] }
*/
__global__ void __launch_bounds__(1) flag_with_fence(unsigned *number, unsigned *flag, unsigned *q)
{
    if (blockIdx.x == 0) {
        *number = 7;
        __threadfence();
        atomicExch(flag, 1);
    } else {
        while (atomicAdd(flag, 0) == 0) {}
        __threadfence();
        *q = *number;
    }
}
