/*
A product of a large whole number in double.

[lanescope]
block = 32

[buffers]
p = "f32 i:1024"
q = "f32 i:1024 = zeros"
*/
__global__ void __launch_bounds__(32) k(const float *p, float *q)
{
    long long n = (long long)p[threadIdx.x];
    q[threadIdx.x] = (float)((double)n * 1.5);  // finds
}
