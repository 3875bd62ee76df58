/* The first two warps do one more smoothing step than the others.
[lanescope]
block = 128
[buffers]
p = "f32 n:128"
q = "f32 n:128 = zeros"
*/
__global__ void __launch_bounds__(128) smooth(const float *p, float *q)
{
    __shared__ float s[128];
    const unsigned t = threadIdx.x;
    s[t] = p[t];
    __syncthreads();
    float v = s[t];
    if (t < 64) v = 0.5f * (s[t] + s[127 - t]);
    __syncthreads();
    s[t] = v;
    __syncthreads();
    q[t] = s[t ^ 64];
}
