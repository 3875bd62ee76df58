/* Each thread keeps forty running sums.
[lanescope]
grid = 2
block = 256
[buffers]
p = "f32 n:20480 = random 1"
q = "f32 n:512 = zeros"
*/
__global__ void __launch_bounds__(256) forty(const float *p, float *q)
{
    float s[40];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    #pragma unroll
    for (int k = 0; k < 40; ++k) s[k] = p[512 * k + i];
    float v = 0.0f;
    #pragma unroll
    for (int k = 0; k < 40; ++k) v = v * s[k] + s[39 - k];
    q[i] = v;
}
