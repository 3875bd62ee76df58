/*
The sum of 20 lanes reaches the first lane without the others.

[lanescope]
block = 20

[buffers]
p = "f32 i:1024"
q = "f32 i:1024 = zeros"
*/
__global__ void __launch_bounds__(20) k(const float *p, float *q)
{
    float sum = p[threadIdx.x];
    for (int i = 16; i > 0; i /= 2) {
        float other = __shfl_down_sync(0xfffff, sum, i);
        if (threadIdx.x + i < 20) sum += other;
    }
    if (threadIdx.x == 0) q[0] = sum;
}
