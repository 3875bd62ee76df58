/*
[lanescope]
grid = 1
block = 32
[buffers]
q = "f32 i:64 = zeros"
*/
// The guard keeps the last lane away.
__global__ void __launch_bounds__(32) k(float *q)
{
    __shared__ float a[32], b[32];
    const int t = threadIdx.x;
    a[t] = t;
    b[t] = 1;
    __syncthreads();
    q[t] = (t < 31 ? a[t + 1] : 0.0f) + b[31 - t];
}
