/*
Offsets of a pointer into an array of shape (32, 8, 64): for the block, then for the warp.

[lanescope]
grid = [8, 2]
block = [32, 32]

[buffers]
p = "f32 i:32 j:8 k:64"
q = { type = "f32", axes = "i:32 j:8 k:64", init = "zeros", expect = "copy of p" }
*/
__global__ void __launch_bounds__(1024) offsets(const float *p, float *q)
{
    // Apply per-block offset
    //   before: shape (32,8,64), contiguous
    //   after: shape (32,32), strides (8*64, 1)
    p += (blockIdx.x * 64) + (blockIdx.y * 32);
    q += (blockIdx.x * 64) + (blockIdx.y * 32);

    // Apply per-warp offset
    //   before: shape (32,32), strides (8*64, 1)
    //   after: shape (32,), contiguous
    p += (threadIdx.y * 8 * 64);
    q += (threadIdx.y * 8 * 64);

    float x = p[threadIdx.x];

    // x has the following register assignment:
    //   thread:    t4 t3 t2 t1 t0  <->  k4 k3 k2 k1 k0
    //   warp:      w4 w3 w2 w1 w0  <->  i4 i3 i2 i1 i0
    //   block:     b3 b2 b1 b0     <->  k5 j2 j1 j0

    q[threadIdx.x] = x;
}
