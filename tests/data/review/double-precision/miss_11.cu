/*
printf takes doubles: the conversions of its float arguments are no choice of the kernel's.

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
    printf("lane %u has %f, twice that is %f\n", threadIdx.x, x, x * 2.0f);
    q[threadIdx.x] = x;
}
