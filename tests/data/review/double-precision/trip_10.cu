/*
A product in double precision, printed.

[lanescope]
block = 32

[buffers]
p = "f32 i:1024"
q = "f32 i:1024 = zeros"
*/
extern "C" int printf(const char *, ...);

__global__ void __launch_bounds__(32) k(const float *p, float *q)
{
    float x = p[threadIdx.x];
    printf("lane %u has %f, times 2.1 that is %f\n", threadIdx.x, x, x * 2.1);
    q[threadIdx.x] = x;
}
