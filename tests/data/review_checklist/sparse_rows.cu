/* A sparse matrix (CSR) times a vector, one warp a row.
[lanescope]
grid = 1
block = 128
[buffers]
start = "s32 n:5 = [0, 32, 64, 96, 128]"
column = "s32 n:128 = iota"
value = "f32 n:128 = 1"
x = "f32 n:128 = 2"
y = "f32 n:4 = zeros"
*/
__global__ void __launch_bounds__(128) spmv(const int *start, const int *column, const float *value, const float *x, float *y)
{
    const int row = threadIdx.x / 32, lane = threadIdx.x % 32;
    float sum = 0.0f;
    for (int k = start[row] + lane; k < start[row + 1]; k += 32) sum += value[k] * x[column[k]];
    for (int d = 16; d > 0; d /= 2) sum += __shfl_down_sync(~0u, sum, d);
    if (lane == 0) y[row] = sum;
}
