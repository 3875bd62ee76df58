/*
y = a * wave(w * x) where a thread uses w and a of another one: both arrays lie in shared memory, each in its own
place, 1,536 bytes, and one barrier makes all of it visible. shared_union takes 1,024 bytes and two barriers more;
shared_union_overlap stores one array while the other one is read. `wave` is the beginning of the sine's series.

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

__global__ void __launch_bounds__(128) shared_separate(const int *w, const double *a, const double *x, double *y)
{
    __shared__ int ws[128];
    __shared__ double as[128];
    uint i = 128 * blockIdx.x + threadIdx.x, mirrored = 127 - threadIdx.x;

    ws[threadIdx.x] = w[i];
    as[threadIdx.x] = a[i];
    __syncthreads();

    // lanescope: expect double-precision
    y[i] = as[mirrored] * wave(ws[mirrored] * x[i]);
}
