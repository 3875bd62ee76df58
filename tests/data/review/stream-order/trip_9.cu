// The host prints managed memory, and does not wait for the kernel.
#include <cstdio>
__global__ void __launch_bounds__(64) k(float *q, float *p) { q[threadIdx.x] = p[threadIdx.x]; }
int main()
{
    float *m, *p;
    cudaMallocManaged(&m, 64 * sizeof(float));
    cudaMallocManaged(&p, 64 * sizeof(float));
    for (int i = 0; i < 64; i++) p[i] = i;
    k<<<1, 64>>>(m, p);
    printf("%f\n", m[3]);  // finds
    cudaDeviceSynchronize();
}
