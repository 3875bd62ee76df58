/*
A warp stores one entire line: 1 request of 4 sectors. store_half_line and store_three_sectors store parts of lines;
only sectors with stored bytes are transferred.

[lanescope]
grid = 4
block = 128

[buffers]
p = "f32 i:512"
q = "f32 i:1024 = zeros"
*/
__global__ void __launch_bounds__(128) store_line(const float *p, float *q)
{
    uint i = 128 * blockIdx.x + threadIdx.x;

    float x = p[i];

    // x has the following register assignment:
    //   thread:    t4 t3 t2 t1 t0  <->  i4 i3 i2 i1 i0
    //   warp:      w1 w0           <->  i6 i5
    //   block:     b1 b0           <->  i8 i7

    q[i] = x;
}
