/* Transposes by tiles of 32.
[lanescope]
grid = [4, 2]
block = [32, 8]
[buffers]
in = "f32 r:64 c:128"
out = "f32 c:128 r:64 = zeros"
*/
#define SIDE 32
__global__ void __launch_bounds__(SIDE * 8) transpose(const float *in, float *out, int rows = 64, int cols = 128)
{
    __shared__ float t[SIDE][SIDE + 1];
    int x = blockIdx.x * SIDE + threadIdx.x;
    int y = blockIdx.y * SIDE + threadIdx.y;
    for (int k = 0; k < SIDE; k += 8) t[threadIdx.y + k][threadIdx.x] = in[(y + k) * 128 + x];
    __syncthreads();
    x = blockIdx.y * SIDE + threadIdx.x;
    y = blockIdx.x * SIDE + threadIdx.y;
    for (int k = 0; k < SIDE; k += 8) out[(y + k) * 64 + x] = t[threadIdx.x][threadIdx.y + k];
}
