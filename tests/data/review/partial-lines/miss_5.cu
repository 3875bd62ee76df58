/*
All lanes read one scale; one lane writes a flag.

[lanescope]
block = 32

[buffers]
p = "f32 i:1024"
q = "f32 i:1024 = zeros"
*/
__global__ void __launch_bounds__(32) k(const float *p, float *q)
{
    float x = p[0];
    if (threadIdx.x == 0) q[512] = x;
    q[threadIdx.x] = x;
}
