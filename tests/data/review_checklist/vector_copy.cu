/* Copies with 16-byte accesses.
[lanescope]
grid = 2
block = 128
[buffers]
from = "f32 n:1280"
to = "f32 n:1280 = zeros"
*/
__global__ void __launch_bounds__(128) copy16(const float *from, float *to)
{
    const int i = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
    const float4 v = *reinterpret_cast<const float4 *>(from + 32 + i);
    *reinterpret_cast<float4 *>(to + 32 + i) = v;
}
