/*
Whole warps decide alike.

[lanescope]
block = 64

[buffers]
p = "f32 i:1024"
q = "f32 i:1024 = zeros"
*/
__global__ void __launch_bounds__(64) k(const float *p, float *q)
{
    float x = p[threadIdx.x];
    if (threadIdx.x / 32 == 1) {
        #pragma unroll 1
        for (int i = 0; i < 40; ++i) x = x * x + 0.5f;
    }
    q[threadIdx.x] = x;
}
