/*
A 32x32 transpose through shared memory. Reading a column puts all 32 lanes on one bank.

[lanescope]
block = [32, 32]

[buffers]
p = "f32 i:32 j:32"
q = "f32 j:32 i:32 = zeros"
*/
__global__ void __launch_bounds__(1024) shared_transpose_naive(const float *p, float *q)
{
    __shared__ float tile[32][32];

    float x = p[32 * threadIdx.y + threadIdx.x];

    tile[threadIdx.y][threadIdx.x] = x;
    __syncthreads();
    float y = tile[threadIdx.x][threadIdx.y];

    q[32 * threadIdx.y + threadIdx.x] = y;
}
