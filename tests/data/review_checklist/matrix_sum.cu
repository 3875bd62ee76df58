/* Adds two matrices, one thread an element.
[lanescope]
grid = [2, 8]
block = [32, 8]
[buffers]
A = "f32 i:64 j:64"
B = "f32 i:64 j:64"
C = "f32 i:64 j:64 = zeros"
*/
__global__ void __launch_bounds__(256) add(const float *A, const float *B, float *C)
{
    const int j = blockIdx.x * blockDim.x + threadIdx.x;
    const int i = blockIdx.y * blockDim.y + threadIdx.y;
    C[64 * i + j] = A[64 * i + j] + B[64 * i + j];
}
