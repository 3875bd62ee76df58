/*
[lanescope]
grid = 1
block = 64
[buffers]
q = "s32 i:64 = zeros"
*/
// The early return leaves it.
__global__ void __launch_bounds__(64) k(int *q)
{
    int t = threadIdx.x;
    int *p = new int[4];  // finds
    p[t % 4] = t;
    if (t % 8 == 3) return;
    q[t] = p[t % 4];
    delete[] p;
}
