// Freed after the launch that uses it, which cudaFree waits for.
__global__ void __launch_bounds__(64) k(float *q) { q[threadIdx.x] = 2; }
int main()
{
    for (int i = 0; i < 3; i++) {
        float *d;
        cudaMalloc(&d, 64 * sizeof(float));
        k<<<1, 64>>>(d);
        cudaFree(d);
    }
}
