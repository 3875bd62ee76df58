/* A warp works until none of its lanes has anything left.
[lanescope]
block = 32
[buffers]
todo = "s32 n:32"
done = "s32 n:32 = zeros"
*/
__global__ void __launch_bounds__(32) work(const int *todo, int *done)
{
    int left = todo[threadIdx.x] % 4, steps = 0;
    while (__any_sync(0xffffffffu, left > 0)) {
        if (left > 0) {
            --left;
            ++steps;
        }
    }
    done[threadIdx.x] = steps - __shfl_sync(0xffffffffu, steps, 0);
}
