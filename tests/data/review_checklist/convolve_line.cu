/* A convolution of radius 4 with coefficients in constant memory.
[lanescope]
grid = 4
block = 64
[buffers]
in = "f32 n:264"
out = "f32 n:256 = zeros"
*/
#define RADIUS 4
__constant__ float weight[2 * RADIUS + 1] = {0.05f, 0.1f, 0.1f, 0.15f, 0.2f, 0.15f, 0.1f, 0.1f, 0.05f};

__global__ void __launch_bounds__(64) convolve(const float *in, float *out)
{
    __shared__ float s[128];
    const int first = 64 * blockIdx.x;
    s[threadIdx.x] = in[first + threadIdx.x];
    if (threadIdx.x < 2 * RADIUS) s[64 + threadIdx.x] = in[first + 64 + threadIdx.x];
    __syncthreads();
    float sum = 0.0f;
    for (int k = -RADIUS; k <= RADIUS; ++k) sum += weight[k + RADIUS] * s[threadIdx.x + RADIUS + k];
    out[first + threadIdx.x] = sum;
}
