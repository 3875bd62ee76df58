/*
10 values and 32 registers.

[lanescope]
block = 32
options = ["-maxrregcount=32"]

[buffers]
p = "f32 i:4096"
q = "f32 i:4096 = zeros"
*/
__global__ void k(const volatile float *p, volatile float *q)
{
    float x0 = p[threadIdx.x + 0];
    float x1 = p[threadIdx.x + 32];
    float x2 = p[threadIdx.x + 64];
    float x3 = p[threadIdx.x + 96];
    float x4 = p[threadIdx.x + 128];
    float x5 = p[threadIdx.x + 160];
    float x6 = p[threadIdx.x + 192];
    float x7 = p[threadIdx.x + 224];
    float x8 = p[threadIdx.x + 256];
    float x9 = p[threadIdx.x + 288];
    q[threadIdx.x + 0] = x0 * x1;
    q[threadIdx.x + 32] = x1 * x2;
    q[threadIdx.x + 64] = x2 * x3;
    q[threadIdx.x + 96] = x3 * x4;
    q[threadIdx.x + 128] = x4 * x5;
    q[threadIdx.x + 160] = x5 * x6;
    q[threadIdx.x + 192] = x6 * x7;
    q[threadIdx.x + 224] = x7 * x8;
    q[threadIdx.x + 256] = x8 * x9;
    q[threadIdx.x + 288] = x9 * x0;
}
