/* Threads of different blocks enter a list that a lock guards.
[lanescope]
grid = 8
block = 32
[buffers]
lock = "s32 n:1 = zeros"
length = "s32 n:1 = zeros"
list = "s32 n:8 = zeros"
*/
__global__ void __launch_bounds__(32) enter(int *lock, int *length, int *list)
{
    if (threadIdx.x != 0) return;
    while (atomicCAS(lock, 0, 1) != 0) {}
    __threadfence();
    const int at = *(volatile int *)length;
    *(volatile int *)(list + at) = blockIdx.x;
    *(volatile int *)length = at + 1;
    __threadfence();
    atomicExch(lock, 0);
}
