/* Offsets per block and per warp into a stack of images.
[lanescope]
grid = [4, 8]
block = [32, 8]
[buffers]
img = "f32 z:8 y:32 x:32"
sum = "f32 z:8 y:32 x:32 = zeros"
*/
// gridDim = {4, 8}: blockIdx.x counts bands of eight rows, blockIdx.y counts images. blockDim = {32, 8}.
__global__ void __launch_bounds__(256) brighten(const float *img, float *sum)
{
    // Per-block offset
    //   before: shape (8,32,32), contiguous
    //   after: shape (8,32), contiguous
    img += blockIdx.y * 1024 + blockIdx.x * 256;

    // Per-warp offset
    //   before: shape (8,32), contiguous
    //   after: shape (32,), contiguous
    img += threadIdx.y * 32;

    // Per-block offset
    //   before: shape (8,32,32), contiguous
    //   after: shape (8,32), contiguous
    sum += blockIdx.y * 1024 + blockIdx.x * 256;

    // Per-warp offset
    //   before: shape (8,32), contiguous
    //   after: shape (32,), contiguous
    sum += threadIdx.y * 32;

    sum[threadIdx.x] = img[threadIdx.x] + 1.0f;
}
