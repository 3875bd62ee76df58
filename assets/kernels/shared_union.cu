/*
The same as shared_separate with both arrays in one place of shared memory: 1,024 bytes, not 1,536, so that more
blocks fit into a multiprocessor. One array must be done with before the other one is stored, which takes a barrier,
and the second one needs its own. shared_union_overlap uses both at once.

[lanescope]
grid = 2
block = 128

[buffers]
w = "s32 i:256"
a = "f64 i:256"
x = "f64 i:256 = 0.25"
y = "f64 i:256 = zeros"
*/
__device__ double wave(double s) { return s - s * s * s / 6; }

__global__ void __launch_bounds__(128) shared_union(const int *w, const double *a, const double *x, double *y)
{
    __shared__ union {
        int w[128];
        double a[128];
    } both;
    uint i = 128 * blockIdx.x + threadIdx.x, mirrored = 127 - threadIdx.x;

    both.w[threadIdx.x] = w[i];
    __syncthreads();
    // lanescope: expect double-precision
    double s = wave(both.w[mirrored] * x[i]);
    __syncthreads();
    both.a[threadIdx.x] = a[i];
    __syncthreads();

    y[i] = both.a[mirrored] * s;
}
