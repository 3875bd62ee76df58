// A memset comes between the launch and the copy.
#include <cuda_runtime.h>
#include <vector>

__global__ void __launch_bounds__(64) half(const float *in, float *out)
{
    out[threadIdx.x] = 0.5f * in[threadIdx.x];
}

int main()
{
    std::vector<float> numbers(128, 3.0f);
    float *in, *out;
    cudaMalloc(&in, numbers.size() * sizeof(float));
    cudaMalloc(&out, numbers.size() * sizeof(float));
    cudaMemcpy(in, numbers.data(), numbers.size() * sizeof(float), cudaMemcpyHostToDevice);
    half<<<1, 64>>>(in, out);
    cudaMemset(out, 0, numbers.size() * sizeof(float));
    cudaMemcpy(numbers.data(), out, numbers.size() * sizeof(float), cudaMemcpyDeviceToHost);
}
