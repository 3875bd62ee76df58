/*
[lanescope]
grid = 1
block = 32
[buffers]
q = "f32 i:64 = zeros"
*/
// Through a pointer, in a function.
__device__ float last(const float *p, int n) { return p[n]; }  // finds
__global__ void __launch_bounds__(32) k(float *q)
{
    __shared__ float a[32], b[32];
    const int t = threadIdx.x;
    a[t] = t;
    b[t] = -t;
    __syncthreads();
    q[t] = last(a, 32) + b[31 - t] + a[31 - t];
}
