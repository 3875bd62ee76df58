/*
A block of 16 threads has no other lanes.

[lanescope]
block = 16

[buffers]
p = "f32 i:1024"
q = "f32 i:1024 = zeros"
*/
__global__ void __launch_bounds__(32) k(const float *p, float *q)
{
    float x = p[threadIdx.x];
    #pragma unroll 1
    for (int i = 0; i < 20; ++i) x = x * x + 0.5f;
    q[threadIdx.x] = x;
}
