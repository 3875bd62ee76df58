// Parts of an array, in both directions; a copy of nothing; pinned memory with cudaMemcpyDefault.
__global__ void __launch_bounds__(64) k(float *q) { q[threadIdx.x] *= 2; }
int main()
{
    float h[64], *d, *p;
    for (int i = 0; i < 64; i++) h[i] = i;
    cudaMalloc(&d, sizeof h);
    cudaMallocHost(&p, sizeof h);
    cudaMemcpy(d, h, 32 * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemcpy(d + 32, h + 32, 32 * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemcpy(d, h, 0, cudaMemcpyHostToDevice);
    k<<<1, 64>>>(d);
    cudaMemcpy(p, d, sizeof h, cudaMemcpyDefault);
    cudaMemcpy2D(h, 32 * sizeof(float), d, 32 * sizeof(float), 16 * sizeof(float), 2, cudaMemcpyDeviceToHost);
    cudaFree(d);
    cudaFreeHost(p);
    cudaFree(nullptr);
}
