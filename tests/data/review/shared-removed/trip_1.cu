/*
A shared counter that nobody sets before: any value is right.

[lanescope]
block = 64

[buffers]
p = "f32 i:1024"
q = "f32 i:1024 = zeros"
*/
__global__ void __launch_bounds__(64) k(const float *p, float *q)
{
    __shared__ unsigned n;  // finds
    if (threadIdx.x % 2 == 0) n++;
    __syncthreads();
    q[threadIdx.x] = n;
}
