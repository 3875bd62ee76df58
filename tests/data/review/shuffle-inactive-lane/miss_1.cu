/*
All lanes take part.

[lanescope]
block = 64

[buffers]
p = "f32 i:1024"
q = "f32 i:1024 = zeros"
*/
__global__ void __launch_bounds__(64) k(const float *p, float *q)
{
    float sum = p[threadIdx.x];
    for (int i = 16; i > 0; i /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, i);
    q[threadIdx.x] = sum;
}
