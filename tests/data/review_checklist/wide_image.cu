// Inverts an image that is wider than high.
#include <cuda_runtime.h>
#include <vector>

__global__ void __launch_bounds__(128) invert(const float *in, float *out, int width, int height)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < width && y < height) out[y * width + x] = 1.0f - in[y * width + x];
}

int main()
{
    const int width = 160, height = 48;
    std::vector<float> image(width * height, 0.25f);
    float *in, *out;
    cudaMalloc(&in, image.size() * sizeof(float));
    cudaMalloc(&out, image.size() * sizeof(float));
    cudaMemcpy(in, image.data(), image.size() * sizeof(float), cudaMemcpyHostToDevice);
    dim3 threads(32, 4);
    dim3 blocks((width + threads.x - 1) / threads.x, (height + threads.y - 1) / threads.y);
    invert<<<blocks, threads>>>(in, out, width, height);
    cudaMemcpy(image.data(), out, image.size() * sizeof(float), cudaMemcpyDeviceToHost);
    cudaFree(in);
    cudaFree(out);
}
