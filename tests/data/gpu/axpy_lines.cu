/*
y = a x + y for matrices, a block a row or a column: along the rows a warp moves entire lines, down the columns each of
its lanes has a line of its own, and only other blocks use the rest of it.

[lanescope]
kernel = "axpy_down"
grid = 64
block = 64
args = { a = 2, columns = 64 }

[buffers]
x = "f32 i:64 j:64"
y = "f32 i:64 j:64"
*/
__global__ void axpy_down(float a, const float *x, float *y, uint columns)
{
    uint at = columns * (blockDim.x * blockIdx.y + threadIdx.x) + blockIdx.x;
    y[at] = a * x[at] + y[at];
}

__global__ void axpy_along(float a, const float *x, float *y, uint columns)
{
    uint at = columns * blockIdx.x + blockDim.x * blockIdx.y + threadIdx.x;
    y[at] = a * x[at] + y[at];
}
