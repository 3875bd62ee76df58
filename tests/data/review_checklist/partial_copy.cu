// The host copies its array to the device before the kernel squares it.
#include <cuda_runtime.h>

struct Job { float *in; float *out; int n; };

__global__ void __launch_bounds__(64) square(Job job)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < job.n) job.out[i] = job.in[i] * job.in[i];
}

int main()
{
    float h[256];
    for (int i = 0; i < 256; i++) h[i] = i * 0.5f;
    Job job;
    job.n = 256;
    cudaMalloc(&job.in, 256 * sizeof(float));
    cudaMalloc(&job.out, 256 * sizeof(float));
    cudaMemcpy(job.in, h, 256 * sizeof(float), cudaMemcpyHostToDevice);
    square<<<4, 64>>>(job);
    cudaMemcpy(h, job.out, 256 * sizeof(float), cudaMemcpyDeviceToHost);
    cudaFree(job.in);
    cudaFree(job.out);
    return 0;
}
