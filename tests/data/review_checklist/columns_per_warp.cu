/* Each block copies a panel 64 wide of a matrix of 64 rows and 256 columns.
[lanescope]
grid = 4
block = 512
[buffers]
A = "f32 i:64 j:256"
B = "f32 i:64 j:256 = zeros"
*/
__global__ void __launch_bounds__(512) panel_copy(const float *A, float *B)
{
    const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    // Per-block offset, both pointers
    //   before: shape (64,256), contiguous
    //   after: shape (64,64), strides (256,1)
    A += 64 * blockIdx.x;
    B += 64 * blockIdx.x;

    // Per-warp offset, both pointers: a warp takes four rows
    //   before: shape (64,64), strides (256,1)
    //   after: shape (4,64), strides (256,1)
    A += 4 * 256 * warp;
    B += 4 * 256 * warp;

    for (int i = 0; i < 4; ++i) {
        const float2 pair = ((const float2 *)(A + 256 * i))[lane];
        ((float2 *)(B + 256 * i))[lane] = pair;
    }
}
