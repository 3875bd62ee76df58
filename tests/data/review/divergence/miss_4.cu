/*
Lanes part for less than a tenth of the instructions.

[lanescope]
block = 32

[buffers]
p = "f32 i:1024"
q = "f32 i:1024 = zeros"
*/
__global__ void __launch_bounds__(32) k(const float *p, float *q)
{
    float x = p[threadIdx.x];
    #pragma unroll 1
    for (int i = 0; i < 200; ++i) x = x * x + 0.5f;
    if (threadIdx.x == 0) {
        #pragma unroll 1
        for (int i = 0; i < 2; ++i) x = x * x + 0.25f;
    }
    q[threadIdx.x] = x;
}
