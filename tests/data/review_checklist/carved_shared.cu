// Two arrays in one piece of dynamic shared memory.
#include <cuda_runtime.h>

__global__ void __launch_bounds__(128) weighted(const float *values, const int *weights, float *out)
{
    extern __shared__ float room[];
    float *v = room;
    int *w = (int *)(room + blockDim.x);
    const unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    v[t] = values[i];
    w[t] = weights[i];
    __syncthreads();
    const unsigned other = blockDim.x - 1 - t;
    out[i] = v[other] * (float)w[other];
}

int main()
{
    const int n = 512, block = 128;
    float v[n];
    int w[n];
    for (int i = 0; i < n; i++) { v[i] = 0.25f * i; w[i] = i % 5; }
    float *dv, *out;
    int *dw;
    cudaMalloc(&dv, n * sizeof(float));
    cudaMalloc(&dw, n * sizeof(int));
    cudaMalloc(&out, n * sizeof(float));
    cudaMemcpy(dv, v, n * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemcpy(dw, w, n * sizeof(int), cudaMemcpyHostToDevice);
    weighted<<<n / block, block, block * (sizeof(float) + sizeof(int))>>>(dv, dw, out);
    cudaMemcpy(v, out, n * sizeof(float), cudaMemcpyDeviceToHost);
    return 0;
}
