/*
The sum of two matrices with blocks of 32 x 8 threads: a warp is 32 threads along x, and its lanes lie along a row.
Each load is 4 sectors, as in matrix_add_256x1 and an eighth of matrix_add_1x256.

[lanescope]
grid = [8, 32]
block = [32, 8]

[buffers]
a = "f32 i:256 j:256"
b = "f32 i:256 j:256 = 0.5"
sum = "f32 i:256 j:256 = zeros"
*/
__global__ void __launch_bounds__(256) matrix_add_32x8(const float *a, const float *b, float *sum)
{
    uint i = 8 * blockIdx.y + threadIdx.y, j = 32 * blockIdx.x + threadIdx.x;

    float x = a[256 * i + j], y = b[256 * i + j];

    // x has the following register assignment:
    //   thread:    t4 t3 t2 t1 t0           <->  j4 j3 j2 j1 j0
    //   warp:      w2 w1 w0                 <->  i2 i1 i0
    //   block:     b7 b6 b5 b4 b3 b2 b1 b0  <->  i7 i6 i5 i4 i3 j7 j6 j5

    // y has register assignment:
    //   thread:    t4 t3 t2 t1 t0           <->  j4 j3 j2 j1 j0
    //   warp:      w2 w1 w0                 <->  i2 i1 i0
    //   block:     b7 b6 b5 b4 b3 b2 b1 b0  <->  i7 i6 i5 i4 i3 j7 j6 j5

    sum[256 * i + j] = x + y;
}
