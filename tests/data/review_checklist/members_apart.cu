/* Three members of n records lie one behind the other in one allocation.
[lanescope]
grid = 2
block = 64
[buffers]
records = "f32 member:3 n:128"
lengths = "f32 n:128 = zeros"
*/
__global__ void __launch_bounds__(64) length(const float *records, float *lengths)
{
    const int n = gridDim.x * blockDim.x;
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const float x = records[i], y = records[n + i], z = records[2 * n + i];
    lengths[i] = sqrtf(x * x + y * y + z * z);
}
