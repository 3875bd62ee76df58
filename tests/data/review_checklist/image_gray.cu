/* Grey values of an image whose pixels are float4.
[lanescope]
grid = [2, 16]
block = [32, 4]
[buffers]
rgba = "f32 y:64 x:64 c:4"
grey = "f32 y:64 x:64 = zeros"
*/
__global__ void __launch_bounds__(128) grey_of(const float4 *rgba, float *grey)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    const float4 c = rgba[y * 64 + x];
    grey[y * 64 + x] = 0.30f * c.x + 0.59f * c.y + 0.11f * c.z;
}
