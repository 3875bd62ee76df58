/*
A block of 40 x 2 threads: 80 threads are 3 warps, counted along x first. The second warp has 8 lanes of the first row
and 24 of the second, and half of the third one's lanes stay empty, though their registers are taken. matrix_add_32x8
has rows that are warps.

[lanescope]
block = [40, 2]

[buffers]
p = "f32 i:80"
q = "f32 i:80 = zeros"
*/
__global__ void __launch_bounds__(80) block_40x2(const float *p, float *q)
{
    uint i = 40 * threadIdx.y + threadIdx.x;

    float x = p[i];

    // x has the following register assignment:
    //   thread:    t4 t3 t2 t1 t0  <->  i4 i3 i2 i1 i0
    //   warp:      w1 w0           <->  i6 i5

    q[i] = x + 1000 * threadIdx.y;
}
