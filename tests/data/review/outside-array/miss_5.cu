/*
[lanescope]
grid = 1
block = 32
shared = 256
[buffers]
q = "f32 i:64 = zeros"
*/
// Two arrays in dynamic shared memory.
__global__ void __launch_bounds__(32) k(float *q)
{
    extern __shared__ float both[];
    float *a = both, *b = both + 32;
    const int t = threadIdx.x;
    a[t] = t;
    b[t] = 2 * t;
    __syncthreads();
    q[t] = a[31 - t] + b[31 - t];
}
