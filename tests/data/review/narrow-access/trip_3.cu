/*
An unrolled loop over consecutive elements.

[lanescope]
block = 32

[buffers]
p = "f32 i:1024"
q = "f32 i:1024 = zeros"
*/
__global__ void __launch_bounds__(32) k(const float *p, float *q)
{
    float sum = 0;
    #pragma unroll
    for (int i = 0; i < 4; ++i) sum += p[4 * threadIdx.x + i];  // finds
    q[threadIdx.x] = sum;
}
