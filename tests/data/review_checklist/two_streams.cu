// Two halves of an array, each in its own stream; the total waits for both.
#include <cuda_runtime.h>

__global__ void __launch_bounds__(128) fill(float *a, float value)
{
    a[blockIdx.x * blockDim.x + threadIdx.x] = value;
}

__global__ void __launch_bounds__(128) join(const float *a, const float *b, float *c)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    c[i] = a[i] + b[i];
}

int main()
{
    float *a, *b, *c;
    cudaMalloc(&a, 512 * sizeof(float));
    cudaMalloc(&b, 512 * sizeof(float));
    cudaMalloc(&c, 512 * sizeof(float));
    cudaStream_t one, two;
    cudaStreamCreate(&one);
    cudaStreamCreate(&two);
    fill<<<4, 128, 0, one>>>(a, 1.0f);
    fill<<<4, 128, 0, two>>>(b, 2.0f);
    cudaStreamSynchronize(two);
    join<<<4, 128, 0, one>>>(a, b, c);
    cudaDeviceSynchronize();
    cudaStreamDestroy(one);
    cudaStreamDestroy(two);
    cudaFree(a);
    cudaFree(b);
    cudaFree(c);
    return 0;
}
