/*
Wrong on purpose: two arrays that share their place in shared memory are used at once. A thread stores its integer
where another thread may still have to read its double. The result is right as long as every warp reads before any
warp stores, which nothing guarantees. In shared_union a barrier lies between, in shared_separate the arrays are
apart.

[lanescope]
grid = 2
block = 128

[buffers]
a = "f64 i:256"
out = "s32 i:256 = zeros"
*/
__global__ void __launch_bounds__(128) shared_union_overlap(const double *a, int *out)
{
    __shared__ union {
        int rounded[128];
        double a[128];
    } both;
    uint i = 128 * blockIdx.x + threadIdx.x;

    both.a[127 - threadIdx.x] = a[i];
    __syncthreads();
    // lanescope: expect barrier-missing, warp-sync-missing, double-precision
    both.rounded[threadIdx.x] = (int)both.a[threadIdx.x];
    __syncthreads();

    out[i] = both.rounded[threadIdx.x];
}
