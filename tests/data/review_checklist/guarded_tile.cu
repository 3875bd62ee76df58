/* Neighbour differences of 1000 numbers in blocks of 256.
[lanescope]
grid = 4
block = 256
[buffers]
p = "f32 n:1000"
q = "f32 n:1000 = zeros"
*/
__global__ void __launch_bounds__(256) differences(const float *p, float *q, int n)
{
    __shared__ float s[256];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    s[threadIdx.x] = i < n ? p[i] : 0.0f;
    __syncthreads();
    if (i >= n) return;
    const float left = threadIdx.x > 0 ? s[threadIdx.x - 1] : i > 0 ? p[i - 1] : 0.0f;
    q[i] = s[threadIdx.x] - left;
}
