/*
The same sum as in array_of_structures with one array for each coordinate: each load of a warp is one entire line.

[lanescope]
grid = 4
block = 128
args = { count = 512 }

[buffers]
p = "f32 c:3 i:512"

[buffers.q]
type = "f32"
axes = "i:512"
init = "zeros"
expect = "sha256 1d08092b072fec8b2c2264a6f945611d8706e1a110ebe13d95a08b5b8c080377"
*/
__global__ void __launch_bounds__(128) structure_of_arrays(const float *p, float *q, uint count)
{
    uint i = 128 * blockIdx.x + threadIdx.x;

    float x = p[i], y = p[i + count], z = p[i + 2 * count];

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
