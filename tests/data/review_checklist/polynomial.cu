/* A polynomial of degree 7, coefficients in constant memory.
[lanescope]
grid = 2
block = 128
[buffers]
x = "f32 n:256 = random 4"
y = "f32 n:256 = zeros"
*/
__constant__ float coefficient[8] = {1.0f, 0.5f, 0.25f, 0.125f, 0.0625f, 0.03125f, 0.015625f, 0.0078125f};

__global__ void __launch_bounds__(128) evaluate(const float *x, float *y)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const float at = x[i];
    float v = coefficient[7];
    for (int k = 6; k >= 0; --k) v = v * at + coefficient[k];
    y[i] = v;
}
