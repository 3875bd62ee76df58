// In this example, 'p' points to a shape (32,128,1024) array in global memory.
// We assume that gridDim = { 128, 32 }, and each block processes a shape-(32,1,32) subarray.
// We assume that blockDim = { 32, 32 }, and each warp processes a shape-(1,1,32) subarray.
// Each thread processes one element.

__global__ void f(float *p)
{
    // Apply per-block offset
    //   before: shape (32,128,1024), contiguous
    //   after: shape (32,32), strides (128*1024, 1)

    p += (blockIdx.x * 1024) + (blockIdx.y * 32);

    // Apply per-warp offset
    //   before: shape=(32,32), strides (128*1024, 1)
    //   after: shape=(32,), contiguous

    p += (threadIdx.y * 128 * 1024);

    // In this example, we choose to apply the per-thread offset
    // when the pointer is dereferenced.

    float x = p[threadIdx.x];
    p[threadIdx.x] = x + 1.0f;
}
