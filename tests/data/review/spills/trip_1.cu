/*
40 values and 32 registers.

[lanescope]
block = 32
options = ["-maxrregcount=32"]

[buffers]
p = "f32 i:4096"
q = "f32 i:4096 = zeros"
*/
__global__ void k(const volatile float *p, volatile float *q)  // finds
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
    float x16 = p[threadIdx.x + 512];
    float x17 = p[threadIdx.x + 544];
    float x18 = p[threadIdx.x + 576];
    float x19 = p[threadIdx.x + 608];
    float x20 = p[threadIdx.x + 640];
    float x21 = p[threadIdx.x + 672];
    float x22 = p[threadIdx.x + 704];
    float x23 = p[threadIdx.x + 736];
    float x24 = p[threadIdx.x + 768];
    float x25 = p[threadIdx.x + 800];
    float x26 = p[threadIdx.x + 832];
    float x27 = p[threadIdx.x + 864];
    float x28 = p[threadIdx.x + 896];
    float x29 = p[threadIdx.x + 928];
    float x30 = p[threadIdx.x + 960];
    float x31 = p[threadIdx.x + 992];
    float x32 = p[threadIdx.x + 1024];
    float x33 = p[threadIdx.x + 1056];
    float x34 = p[threadIdx.x + 1088];
    float x35 = p[threadIdx.x + 1120];
    float x36 = p[threadIdx.x + 1152];
    float x37 = p[threadIdx.x + 1184];
    float x38 = p[threadIdx.x + 1216];
    float x39 = p[threadIdx.x + 1248];
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
    q[threadIdx.x + 480] = x15 * x16;
    q[threadIdx.x + 512] = x16 * x17;
    q[threadIdx.x + 544] = x17 * x18;
    q[threadIdx.x + 576] = x18 * x19;
    q[threadIdx.x + 608] = x19 * x20;
    q[threadIdx.x + 640] = x20 * x21;
    q[threadIdx.x + 672] = x21 * x22;
    q[threadIdx.x + 704] = x22 * x23;
    q[threadIdx.x + 736] = x23 * x24;
    q[threadIdx.x + 768] = x24 * x25;
    q[threadIdx.x + 800] = x25 * x26;
    q[threadIdx.x + 832] = x26 * x27;
    q[threadIdx.x + 864] = x27 * x28;
    q[threadIdx.x + 896] = x28 * x29;
    q[threadIdx.x + 928] = x29 * x30;
    q[threadIdx.x + 960] = x30 * x31;
    q[threadIdx.x + 992] = x31 * x32;
    q[threadIdx.x + 1024] = x32 * x33;
    q[threadIdx.x + 1056] = x33 * x34;
    q[threadIdx.x + 1088] = x34 * x35;
    q[threadIdx.x + 1120] = x35 * x36;
    q[threadIdx.x + 1152] = x36 * x37;
    q[threadIdx.x + 1184] = x37 * x38;
    q[threadIdx.x + 1216] = x38 * x39;
    q[threadIdx.x + 1248] = x39 * x0;
}
