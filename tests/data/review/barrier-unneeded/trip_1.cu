/*
Nothing is shared.

[lanescope]
block = 64

[buffers]
p = "f32 i:1024"
q = "f32 i:1024 = zeros"
*/
__global__ void __launch_bounds__(64) k(const float *p, float *q)
{
    float x = p[threadIdx.x];
    __syncthreads();  // finds
    q[threadIdx.x] = x;
}
