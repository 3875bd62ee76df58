/*
Two threads increment one number by an atomic: nothing comes between its reading and its writing, and both increments
count. In increment_race one of them is lost.

[lanescope]
block = 2

[buffers]
x = "s32 i:1 = zeros"
*/
__global__ void __launch_bounds__(2) increment_atomic(int *x)
{
    atomicAdd(x, 1);
}
