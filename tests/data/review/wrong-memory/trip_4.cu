// The pointer of the host is passed.
#include <cstdlib>
__global__ void __launch_bounds__(64) k(float *q) { q[threadIdx.x] *= 2; }
int main()
{
    float *h = (float *)malloc(64 * sizeof(float)), *d;
    for (int i = 0; i < 64; i++) h[i] = i;
    cudaMalloc(&d, 64 * sizeof(float));
    cudaMemcpy(d, h, 64 * sizeof(float), cudaMemcpyHostToDevice);
    k<<<1, 64>>>(h);  // finds
    cudaDeviceSynchronize();
}
