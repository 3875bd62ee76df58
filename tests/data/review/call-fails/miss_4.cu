// The pointer leads to another allocation the second time.
__global__ void __launch_bounds__(64) k(float *q) { q[threadIdx.x] = 2; }
int main()
{
    float *d = nullptr;
    for (int i = 1; i < 3; i++) {
        cudaFree(d);
        cudaMalloc(&d, 64 * i * sizeof(float));
        k<<<1, 64>>>(d);
    }
    cudaFree(d);
}
