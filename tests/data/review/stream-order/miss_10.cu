// The host waits, or reads what the kernel reads, or another half.
#include <cstdio>
__global__ void __launch_bounds__(32) k(float *q, float *p) { q[threadIdx.x] = p[threadIdx.x]; }
int main()
{
    float *m, *p;
    cudaMallocManaged(&m, 64 * sizeof(float));
    cudaMallocManaged(&p, 64 * sizeof(float));
    for (int i = 0; i < 64; i++) m[i] = p[i] = i;
    k<<<1, 32>>>(m, p);
    printf("%f %f\n", p[3], m[32]);
    cudaDeviceSynchronize();
    printf("%f\n", m[3]);
    k<<<1, 32>>>(m, p);
    cudaMemcpy(p, p + 32, 32 * sizeof(float), cudaMemcpyDefault);
    cudaStreamSynchronize(0);
    printf("%f\n", m[3]);
}
