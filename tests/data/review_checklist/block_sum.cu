// The sum of each block, halved in shared memory down to one warp and then by shuffles.
#include <cstdio>

__global__ void __launch_bounds__(256) block_sums(const float *in, float *sums, int n)
{
    __shared__ float part[256];
    const int t = threadIdx.x;
    const int i = blockIdx.x * blockDim.x + t;
    part[t] = i < n ? in[i] : 0.0f;
    __syncthreads();
    for (int half = blockDim.x / 2; half >= 32; half /= 2) {
        if (t < half) part[t] += part[t + half];
        __syncthreads();
    }
    if (t < 32) {
        float v = part[t];
        for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(0xffffffffu, v, d);
        if (t == 0) sums[blockIdx.x] = v;
    }
}

int main()
{
    const int n = 1000;
    float host[n], out[4];
    for (int i = 0; i < n; ++i) host[i] = 1.0f;
    float *d_in, *d_out;
    cudaMalloc((void **)&d_in, sizeof host);
    cudaMalloc((void **)&d_out, sizeof out);
    cudaMemcpy(d_in, host, sizeof host, cudaMemcpyHostToDevice);
    block_sums<<<(n + 255) / 256, 256>>>(d_in, d_out, n);
    cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost);
    printf("%g\n", out[0] + out[1] + out[2] + out[3]);
    cudaFree(d_in);
    cudaFree(d_out);
}
