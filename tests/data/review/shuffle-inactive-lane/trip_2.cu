/*
A sum over 20 lanes with the steps of 32.

[lanescope]
block = 20

[buffers]
p = "f32 i:1024"
q = "f32 i:1024 = zeros"
*/
__global__ void __launch_bounds__(20) k(const float *p, float *q)
{
    float sum = p[threadIdx.x];
    for (int i = 16; i > 0; i /= 2)
        sum += __shfl_down_sync(0xfffff, sum, i);  // finds
    if (threadIdx.x == 0) q[0] = sum;
}
