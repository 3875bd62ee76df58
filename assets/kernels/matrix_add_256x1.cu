/*
The sum of two matrices with blocks of 256 x 1 threads: a warp is 32 of them in a row. Each load is 4 sectors, as in
matrix_add_32x8; the same number of threads the other way is matrix_add_1x256.

[lanescope]
grid = [1, 256]
block = [256, 1]

[buffers]
a = "f32 i:256 j:256"
b = "f32 i:256 j:256 = 0.5"
sum = "f32 i:256 j:256 = zeros"
*/
__global__ void __launch_bounds__(256) matrix_add_256x1(const float *a, const float *b, float *sum)
{
    uint i = blockIdx.y, j = 256 * blockIdx.x + threadIdx.x;

    float x = a[256 * i + j], y = b[256 * i + j];

    // x has the following register assignment:
    //   thread:    t4 t3 t2 t1 t0           <->  j4 j3 j2 j1 j0
    //   warp:      w2 w1 w0                 <->  j7 j6 j5
    //   block:     b7 b6 b5 b4 b3 b2 b1 b0  <->  i7 i6 i5 i4 i3 i2 i1 i0

    // y has register assignment:
    //   thread:    t4 t3 t2 t1 t0           <->  j4 j3 j2 j1 j0
    //   warp:      w2 w1 w0                 <->  j7 j6 j5
    //   block:     b7 b6 b5 b4 b3 b2 b1 b0  <->  i7 i6 i5 i4 i3 i2 i1 i0

    sum[256 * i + j] = x + y;
}
