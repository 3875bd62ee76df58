/*
[lanescope]
grid = 1
block = 32
[buffers]
q = "f32 i:64 = zeros"
*/
// All accesses are inside, the last elements too.
__global__ void __launch_bounds__(32) k(float *q)
{
    __shared__ float a[33], b[32];
    const int t = threadIdx.x;
    a[t] = t;
    if (t == 0) a[32] = 0;
    b[t] = 2 * t;
    __syncthreads();
    q[t] = a[t + 1] + b[31 - t];
}
