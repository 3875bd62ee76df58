// The host prints what is on the device.
#include <cstdio>
__global__ void __launch_bounds__(64) k(float *q) { q[threadIdx.x] = 2; }
int main()
{
    float *d;
    cudaMalloc(&d, 64 * sizeof(float));
    k<<<1, 64>>>(d);
    cudaDeviceSynchronize();
    printf("%f\n", d[3]);  // finds
}
