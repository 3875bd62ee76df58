/*
A tile of 32 x 32 words, transposed: word (i, j) of p becomes word (j, i) of q.

[lanescope]
block = [32, 8]

[buffers]
p = "u32 i:32 j:32"

[buffers.q]
type = "u32"
axes = "j:32 i:32"
init = "zeros"
expect = "sha256 4e47d3a4c4bc836b6088abd9b8689fd3d84b1f8ccb39399628e3cd74d747247c"
*/
__global__ void __launch_bounds__(256) turn(const uint *p, uint *q)
{
    __shared__ uint tile[32][33];

    for (uint i = threadIdx.y; i < 32; i += 8) tile[i][threadIdx.x] = p[32 * i + threadIdx.x];
    __syncthreads();
    for (uint j = threadIdx.y; j < 32; j += 8) q[32 * j + threadIdx.x] = tile[threadIdx.x][j];
}
