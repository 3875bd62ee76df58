/*
A transpose of a whole matrix in tiles of 32x32: straight, where one side is a column; through shared memory, where a
column of the tile lies in one bank; with a word of padding in each row; with the columns exchanged by XOR.

[lanescope]
kernel = "through_tile<33>"
grid = [2, 3]
block = [32, 32]
args = { rows = 96, columns = 64 }

[buffers]
p = "f32 i:96 j:64"
q = "f32 j:64 i:96 = zeros"
*/
__global__ void __launch_bounds__(1024) straight(const float *p, float *q, uint rows, uint columns)
{
    uint i = 32 * blockIdx.y + threadIdx.y, j = 32 * blockIdx.x + threadIdx.x;
    q[(size_t)rows * j + i] = p[(size_t)columns * i + j];
}

template <int Pitch>
__global__ void __launch_bounds__(1024) through_tile(const float *p, float *q, uint rows, uint columns)
{
    __shared__ float tile[32][Pitch];
    uint i = 32 * blockIdx.y, j = 32 * blockIdx.x, x = threadIdx.x, y = threadIdx.y;
    tile[y][x] = p[(size_t)columns * (i + y) + j + x];
    __syncthreads();
    q[(size_t)rows * (j + y) + i + x] = tile[x][y];
}

__global__ void __launch_bounds__(1024) swizzled(const float *p, float *q, uint rows, uint columns)
{
    __shared__ float tile[32][32];
    uint i = 32 * blockIdx.y, j = 32 * blockIdx.x, x = threadIdx.x, y = threadIdx.y;
    tile[y][x ^ y] = p[(size_t)columns * (i + y) + j + x];
    __syncthreads();
    q[(size_t)rows * (j + y) + i + x] = tile[x][y ^ x];
}

// Only the tile, over and over: what shared memory alone makes of it.
template <int Pitch>
__global__ void __launch_bounds__(1024) tile_rounds(const float *p, float *q, uint rounds)
{
    __shared__ float tile[32][Pitch];
    uint x = threadIdx.x, y = threadIdx.y, at = 1024 * blockIdx.x + 32 * y + x;
    float value = p[at];
    #pragma unroll 1
    for (uint round = 0; round < rounds; round++) {
        tile[y][x] = value;
        __syncthreads();
        value = tile[x][y];
        __syncthreads();
    }
    q[at] = value;
}
