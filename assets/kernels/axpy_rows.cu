/*
y = a x + y for matrices. Neighbouring lanes work on neighbouring elements of a row: a warp moves entire lines.

[lanescope]
grid = [2, 8]
block = [32, 8]
args = { a = 2, columns = 64 }

[buffers]
x = "f32 i:64 j:64"

[buffers.y]
type = "f32"
axes = "i:64 j:64"
init = "iota"
expect = "sha256 3b3daaa435f9e286fb2391e983a4f751a8d8a2612e78034733cbc766bae37470"
*/
__global__ void __launch_bounds__(256) axpy_rows(float a, const float *x, float *y, uint columns)
{
    uint i = 8 * blockIdx.y + threadIdx.y, j = 32 * blockIdx.x + threadIdx.x;
    uint at = columns * i + j;

    float u = x[at];

    // u has the following register assignment:
    //   thread:    t4 t3 t2 t1 t0  <->  j4 j3 j2 j1 j0
    //   warp:      w2 w1 w0        <->  i2 i1 i0
    //   block:     b3 b2 b1 b0     <->  i5 i4 i3 j5

    y[at] = a * u + y[at];
}
