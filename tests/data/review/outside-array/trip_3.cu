/*
[lanescope]
grid = 1
block = 32
[buffers]
q = "f32 i:64 = zeros"
*/
// Rows of 33 were declared as rows of 32.
__global__ void __launch_bounds__(32) k(float *q)
{
    __shared__ float tile[8 * 32];
    __shared__ float sums[32];
    const int t = threadIdx.x;
    for (int r = 0; r < 8; r++)
        tile[r * 33 + t] = r + t;  // finds
    sums[t] = t;
    __syncthreads();
    q[t] = tile[t * 8] + sums[31 - t];
}
