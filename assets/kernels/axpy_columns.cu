/*
y = a x + y for matrices. Neighbouring lanes work on neighbouring elements of a column, a row apart in memory: a warp
touches 32 sectors for the bytes of 4.

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
__global__ void __launch_bounds__(256) axpy_columns(float a, const float *x, float *y, uint columns)
{
    uint i = 32 * blockIdx.x + threadIdx.x, j = 8 * blockIdx.y + threadIdx.y;
    uint at = columns * i + j;

    // lanescope: expect partial-lines
    float u = x[at];

    // u has the following register assignment:
    //   thread:    t4 t3 t2 t1 t0  <->  i4 i3 i2 i1 i0
    //   warp:      w2 w1 w0        <->  j2 j1 j0
    //   block:     b3 b2 b1 b0     <->  j5 j4 j3 i5

    y[at] = a * u + y[at];
}
