/* The sum of 96 numbers: first a power of two, then halves.
[lanescope]
block = 96
[buffers]
p = "f32 n:96"
q = "f32 n:1 = zeros"
*/
__global__ void __launch_bounds__(96) sum96(const float *p, float *q)
{
    __shared__ float s[96];
    const int t = threadIdx.x;
    s[t] = p[t];
    __syncthreads();
    if (t + 64 < 96) s[t] += s[t + 64];
    __syncthreads();
    for (int half = 32; half > 0; half /= 2) {
        if (t < half) s[t] += s[t + half];
        __syncthreads();
    }
    if (t == 0) *q = s[0];
}
