// Smooths a line several times, from one array to the other and back.
#include <utility>
#include <vector>

__global__ void __launch_bounds__(64) smooth(const float *from, float *to, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const float left = from[i > 0 ? i - 1 : i], right = from[i < n - 1 ? i + 1 : i];  // lanescope: allow partial-lines
    to[i] = 0.25f * left + 0.5f * from[i] + 0.25f * right;
}

int main()
{
    const int n = 256;
    std::vector<float> line(n);
    for (int i = 0; i < n; ++i) line[i] = i % 7;
    float *a, *b;
    cudaMalloc(&a, n * sizeof(float));
    cudaMalloc(&b, n * sizeof(float));
    cudaMemcpy(a, line.data(), n * sizeof(float), cudaMemcpyHostToDevice);
    for (int step = 0; step < 3; ++step) {
        smooth<<<n / 64, 64>>>(a, b, n);
        std::swap(a, b);
    }
    cudaMemcpy(line.data(), a, n * sizeof(float), cudaMemcpyDeviceToHost);
    return 0;
}
