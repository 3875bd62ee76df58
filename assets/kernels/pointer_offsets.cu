/*
Offsets applied one after the other to a pointer into an array of shape (32, 128, 1024): per block, per warp, per
thread. A block reads a (32, 1, 32) part of it, a warp a row of 32 of that, a thread one element.

[lanescope]
grid = [128, 32]
block = [32, 32]

[buffers]
p = "f32 i:32 j:128 k:1024"
q = { type = "f32", axes = "i:32 j:128 k:1024", init = "zeros", expect = "copy of p" }
*/
__global__ void __launch_bounds__(1024) pointer_offsets(const float *p, float *q)
{
    // Apply per-block offset
    //   before: shape (32,128,1024), contiguous
    //   after: shape (32,32), strides (128*1024, 1)
    p += (blockIdx.x * 1024) + (blockIdx.y * 32);
    q += (blockIdx.x * 1024) + (blockIdx.y * 32);

    // Apply per-warp offset
    //   before: shape (32,32), strides (128*1024, 1)
    //   after: shape (32,), contiguous
    p += (threadIdx.y * 128 * 1024);
    q += (threadIdx.y * 128 * 1024);

    // The per-thread offset is applied where the pointer is dereferenced.
    float x = p[threadIdx.x];

    // x has the following register assignment:
    //   thread:    t4 t3 t2 t1 t0                         <->  k4 k3 k2 k1 k0
    //   warp:      w4 w3 w2 w1 w0                         <->  i4 i3 i2 i1 i0
    //   block:     b11 b10 b9 b8 b7 b6 b5 b4 b3 b2 b1 b0  <->  k9 k8 k7 k6 k5 j6 j5 j4 j3 j2 j1 j0

    q[threadIdx.x] = x;
}
