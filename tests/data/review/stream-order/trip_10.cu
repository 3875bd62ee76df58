// The copy into pinned memory is not over when the call returns.
__global__ void __launch_bounds__(64) k(float *q) { q[threadIdx.x] = 2; }
int main()
{
    float *d, *h, sum = 0;
    cudaMalloc(&d, 64 * sizeof(float));
    cudaMallocHost(&h, 64 * sizeof(float));
    cudaStream_t s;
    cudaStreamCreate(&s);
    k<<<1, 64, 0, s>>>(d);
    cudaMemcpyAsync(h, d, 256, cudaMemcpyDeviceToHost, s);
    for (int i = 0; i < 64; i++)
        sum += h[i];  // finds
    cudaStreamSynchronize(s);
}
