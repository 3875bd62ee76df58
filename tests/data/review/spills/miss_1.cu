/*
Few values.

[lanescope]
block = 32

[buffers]
p = "f32 i:4096"
q = "f32 i:4096 = zeros"
*/
__global__ void __launch_bounds__(32) k(const volatile float *p, volatile float *q)
{
    float x0 = p[threadIdx.x + 0];
    float x1 = p[threadIdx.x + 32];
    float x2 = p[threadIdx.x + 64];
    float x3 = p[threadIdx.x + 96];
    q[threadIdx.x + 0] = x0 * x1;
    q[threadIdx.x + 32] = x1 * x2;
    q[threadIdx.x + 64] = x2 * x3;
    q[threadIdx.x + 96] = x3 * x0;
}
