/* A grid-stride loop.
[lanescope]
grid = 3
block = 128
[buffers]
a = "f32 n:1536"
b = "f32 n:1536 = zeros"
*/
__global__ void __launch_bounds__(128) negate(const float *a, float *b, unsigned n)
{
    const unsigned step = gridDim.x * blockDim.x;
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step)
        b[i] = -a[i];
}
