/*
A matrix times a number. Neighbouring lanes take neighbours of a column.

[lanescope]
grid = [2, 8]
block = [32, 8]
args = { factor = 2 }

[buffers]
a = "f32 i:64 j:64 = 1.5"
b = { type = "f32", axes = "i:64 j:64", init = "zeros", expect = 3 }
*/
__global__ void __launch_bounds__(256) scale(float factor, const float *a, float *b)
{
    uint i = 32 * blockIdx.x + threadIdx.x, j = 8 * blockIdx.y + threadIdx.y;

    b[64 * i + j] = factor * a[64 * i + j];
}
