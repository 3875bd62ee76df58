/* A sigmoid, elementwise.
[lanescope]
grid = 4
block = 256
[buffers]
x = "f32 n:1024 = random 2"
y = "f32 n:1024 = zeros"
*/
__global__ void __launch_bounds__(256) sigmoid(const float *x, float *y, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    y[i] = 1.0f / (1.0f + expf(-x[i]));
}
