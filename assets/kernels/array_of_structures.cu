/*
The sum of three coordinates that lie together in a structure of 12 bytes. A lane's three loads are 4 bytes each, as
12 is no width of an instruction, and in each of them lanes lie 12 bytes apart: three times the sectors that are
needed.

[lanescope]
grid = 4
block = 128

[buffers]
p = "f32 i:512 c:3"

[buffers.q]
type = "f32"
axes = "i:512"
init = "zeros"
expect = "sha256 901a573c811f6cde350ee6e1dd888823cd659528db24632baf6c03c0ae3ee047"
*/
struct Point {
    float x, y, z;
};

__global__ void __launch_bounds__(128) array_of_structures(const Point *p, float *q)
{
    uint i = 128 * blockIdx.x + threadIdx.x;

    // lanescope: expect partial-lines
    float x = p[i].x, y = p[i].y, z = p[i].z;

    // x has the following register assignment:
    //   thread:    t4 t3 t2 t1 t0  <->  i4 i3 i2 i1 i0
    //   warp:      w1 w0           <->  i6 i5
    //   block:     b1 b0           <->  i8 i7

    // y has register assignment:
    //   thread:    t4 t3 t2 t1 t0  <->  i4 i3 i2 i1 i0
    //   warp:      w1 w0           <->  i6 i5
    //   block:     b1 b0           <->  i8 i7

    // z has register assignment:
    //   thread:    t4 t3 t2 t1 t0  <->  i4 i3 i2 i1 i0
    //   warp:      w1 w0           <->  i6 i5
    //   block:     b1 b0           <->  i8 i7

    q[i] = x + y + z;
}
