/*
The number of blocks is rounded down.

[lanescope]
grid = 7
block = 128
args = { n = 1000 }

[buffers]
p = "f32 i:1000"
q = "f32 i:1000 = zeros"
*/
__global__ void __launch_bounds__(128) k(const float *p, float *q, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) q[i] = p[i] + 1.0f;  // finds
}
