/*
Offsets applied one after the other to a pointer into an array of shape (32, 128, 1024): per block, per warp, per thread.
A block reads a (32, 1, 32) part of it, a warp a row of 32 of that, a thread one element.

[lanescope]
grid = [128, 32]
block = [32, 32]

[buffers]
p = "f32 i:32 j:128 k:1024"
q = "f32 i:32 j:128 k:1024 = zeros"
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

    q[threadIdx.x] = x;
}
