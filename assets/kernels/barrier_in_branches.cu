/*
Wrong on purpose: the two halves of a block wait at barriers of their own, one in each branch. The hardware counts
arrivals, not places: the readers' barrier is complete as soon as the writers reach theirs, which is before their
stores. So the readers may read old values. In barrier_in_if, too, not all threads arrive, but the result is
right.

[lanescope]
block = 128

[buffers]
in = "s32 i:128"
out = "s32 i:64 = zeros"
*/
__global__ void __launch_bounds__(128) barrier_in_branches(const int *in, int *out)
{
    __shared__ int passed[64];
    uint half = threadIdx.x / 64, i = threadIdx.x % 64;

    if (half == 0) {
        passed[i] = -1;
        // lanescope: expect barrier-divergent
        __syncthreads();
        out[i] = passed[63 - i];
    } else {
        int x = in[threadIdx.x];
        __syncthreads();
        passed[i] = x;
    }
}
