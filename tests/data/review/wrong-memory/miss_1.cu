// Managed and pinned memory are for both.
#include <cstdio>
__global__ void __launch_bounds__(64) k(float *q, const float *p) { q[threadIdx.x] = p[threadIdx.x]; }
int main()
{
    float *m, *p;
    cudaMallocManaged(&m, 64 * sizeof(float));
    cudaMallocHost(&p, 64 * sizeof(float));
    for (int i = 0; i < 64; i++) p[i] = i;
    k<<<1, 64>>>(m, p);
    cudaDeviceSynchronize();
    printf("%f\n", m[3]);
}
