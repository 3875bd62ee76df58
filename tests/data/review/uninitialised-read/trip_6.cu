/*
A private array of which one element is not set.

[lanescope]
block = 64

[buffers]
p = "f32 i:1024"
q = "f32 i:1024 = zeros"
*/
__global__ void __launch_bounds__(64) k(const float *p, float *q)
{
    float a[8];
    int n = (int)p[0] + 7;
    for (int i = 0; i < n; ++i)
        a[(i * 5) % 8] = p[i];
    q[threadIdx.x] = a[threadIdx.x % 8];  // finds
}
