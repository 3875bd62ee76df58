/* Mean of three neighbours; the ends keep what they are.
[lanescope]
grid = 4
block = 64
[buffers]
p = "f32 n:256"
q = "f32 n:256 = zeros"
*/
__global__ void __launch_bounds__(64) blur3(const float *p, float *q, int n)
{
    __shared__ float s[66];
    const int t = threadIdx.x + 1;
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    s[t] = p[i];
    if (threadIdx.x == 0) s[0] = i > 0 ? p[i - 1] : p[0];
    if (threadIdx.x == blockDim.x - 1) s[t + 1] = i < n - 1 ? p[i + 1] : p[n - 1];
    __syncthreads();
    q[i] = i > 0 && i < n - 1 ? (s[t - 1] + s[t] + s[t + 1]) * (1.0f / 3.0f) : s[t];
}
