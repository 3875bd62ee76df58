/*
[lanescope]
grid = 1
block = 32
[buffers]
q = "f32 i:64 = zeros"
*/
// The last lane reads the first element of the other array.
__global__ void __launch_bounds__(32) k(float *q)
{
    __shared__ float a[32], b[32];
    const int t = threadIdx.x;
    a[t] = t;
    b[t] = 2 * t;
    __syncthreads();
    q[t] = a[t + 1] + b[31 - t];  // finds
}
