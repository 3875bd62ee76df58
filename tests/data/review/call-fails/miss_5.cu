// Which of the sizes it is, only the run decides.
#include <cstdlib>
__global__ void __launch_bounds__(64) k(float *q) { q[threadIdx.x] = 2; }
int main()
{
    float h[64], *d;
    int large = getenv("LARGE") != nullptr;
    cudaMalloc(&d, 64 * sizeof(float));
    k<<<1, 64>>>(d);
    if (large) {
        cudaFree(d);
        cudaMalloc(&d, 128 * sizeof(float));
    }
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    cudaFree(d);
}
