/*
An exchange does not depend on what was there.

[lanescope]
block = 64

[buffers]
p = "f32 i:1024"
q = "f32 i:1024 = zeros"
*/
__global__ void __launch_bounds__(64) k(const float *p, float *q)
{
    __shared__ unsigned last;
    atomicExch(&last, threadIdx.x);
    __syncthreads();
    q[threadIdx.x] = last < 64 ? p[threadIdx.x] : 0;
}
