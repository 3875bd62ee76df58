/*
A product of two that the compiler does not make a float of.

[lanescope]
block = 32

[buffers]
p = "f32 i:1024"
q = "f32 i:1024 = zeros"
*/
__global__ void __launch_bounds__(32) k(const float *p, float *q)
{
    float x = p[threadIdx.x];
    q[threadIdx.x] = x * 2.0 + 0.3;  // finds
}
