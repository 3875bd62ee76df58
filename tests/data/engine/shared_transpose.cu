/*
[lanescope]
block = [32, 8]

[buffers]
p = "f32 i:32 j:32"
q = { type = "f32", axes = "j:32 i:32", init = "zeros" }
*/
__global__ void shared_transpose(const float *p, float *q)
{
    __shared__ float tile[32][32];
    for (int row = threadIdx.y; row < 32; row += 8)
        tile[row][threadIdx.x] = p[32 * row + threadIdx.x];
    __syncthreads();
    for (int row = threadIdx.y; row < 32; row += 8)
        q[32 * row + threadIdx.x] = tile[threadIdx.x][row];
}
