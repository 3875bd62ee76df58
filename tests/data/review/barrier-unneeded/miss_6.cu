/*
A vote of the block.

[lanescope]
block = 64

[buffers]
p = "f32 i:1024"
q = "f32 i:1024 = zeros"
*/
__global__ void __launch_bounds__(64) k(const float *p, float *q)
{
    int n = __syncthreads_count(p[threadIdx.x] > 10.0f);
    q[threadIdx.x] = (float)n;
}
