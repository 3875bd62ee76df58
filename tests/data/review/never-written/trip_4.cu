/*
Every second element: the other half is left out.

[lanescope]
grid = 4
block = 64

[buffers]
p = "f32 i:512"
q = "f32 i:512 = uninitialised"
*/
__global__ void __launch_bounds__(64) k(const float *p, float *q)
{
    const int i = 2 * (blockIdx.x * blockDim.x + threadIdx.x);
    q[i] = p[i] + p[i + 1];  // finds
}
