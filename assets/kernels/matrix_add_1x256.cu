/*
The sum of two matrices with blocks of 1 x 256 threads: a warp is 32 threads of a column, and its lanes lie a row
apart. Each load is 32 sectors, eight times those of matrix_add_256x1, for the same work of as many threads.
matrix_add_32x8 has both extents above 1, but 32 along x.

[lanescope]
grid = [256, 1]
block = [1, 256]

[buffers]
a = "f32 i:256 j:256"
b = "f32 i:256 j:256 = 0.5"
sum = "f32 i:256 j:256 = zeros"
*/
__global__ void __launch_bounds__(256) matrix_add_1x256(const float *a, const float *b, float *sum)
{
    uint i = 256 * blockIdx.y + threadIdx.y, j = blockIdx.x;

    // lanescope: expect partial-lines
    float x = a[256 * i + j], y = b[256 * i + j];

    // x has the following register assignment:
    //   thread:    t4 t3 t2 t1 t0           <->  i4 i3 i2 i1 i0
    //   warp:      w2 w1 w0                 <->  i7 i6 i5
    //   block:     b7 b6 b5 b4 b3 b2 b1 b0  <->  j7 j6 j5 j4 j3 j2 j1 j0

    // y has register assignment:
    //   thread:    t4 t3 t2 t1 t0           <->  i4 i3 i2 i1 i0
    //   warp:      w2 w1 w0                 <->  i7 i6 i5
    //   block:     b7 b6 b5 b4 b3 b2 b1 b0  <->  j7 j6 j5 j4 j3 j2 j1 j0

    sum[256 * i + j] = x + y;
}
