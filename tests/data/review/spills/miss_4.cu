/*
16 values in blocks of up to 1024 threads.

[lanescope]
block = 32

[buffers]
p = "f32 i:4096"
q = "f32 i:4096 = zeros"
*/
__global__ void __launch_bounds__(1024) k(const volatile float *p, volatile float *q)
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
    float x10 = p[threadIdx.x + 320];
    float x11 = p[threadIdx.x + 352];
    float x12 = p[threadIdx.x + 384];
    float x13 = p[threadIdx.x + 416];
    float x14 = p[threadIdx.x + 448];
    float x15 = p[threadIdx.x + 480];
    q[threadIdx.x + 0] = x0 * x1;
    q[threadIdx.x + 32] = x1 * x2;
    q[threadIdx.x + 64] = x2 * x3;
    q[threadIdx.x + 96] = x3 * x4;
    q[threadIdx.x + 128] = x4 * x5;
    q[threadIdx.x + 160] = x5 * x6;
    q[threadIdx.x + 192] = x6 * x7;
    q[threadIdx.x + 224] = x7 * x8;
    q[threadIdx.x + 256] = x8 * x9;
    q[threadIdx.x + 288] = x9 * x10;
    q[threadIdx.x + 320] = x10 * x11;
    q[threadIdx.x + 352] = x11 * x12;
    q[threadIdx.x + 384] = x12 * x13;
    q[threadIdx.x + 416] = x13 * x14;
    q[threadIdx.x + 448] = x14 * x15;
    q[threadIdx.x + 480] = x15 * x0;
}
