/*
Two elements for each thread.

[lanescope]
grid = 3
block = 64

[buffers]
p = "f32 i:500"
q = "f32 i:500 = zeros"
*/
__global__ void __launch_bounds__(64) k(const float *p, float *q, int n)
{
    const int i = 2 * (blockIdx.x * blockDim.x + threadIdx.x);
    if (i + 1 >= n) return;
    const float2 v = *(const float2 *)(p + i);
    *(float2 *)(q + i) = make_float2(v.y, v.x);  // finds
}
