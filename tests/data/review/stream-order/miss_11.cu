// An event of the copy's stream, and a copy that returns when it is over.
__global__ void __launch_bounds__(64) k(float *q) { q[threadIdx.x] = 2; }
int main()
{
    float *d, *h, sum = 0;
    cudaMalloc(&d, 64 * sizeof(float));
    cudaMallocHost(&h, 64 * sizeof(float));
    cudaStream_t s;
    cudaStreamCreate(&s);
    cudaEvent_t e;
    cudaEventCreate(&e);
    k<<<1, 64, 0, s>>>(d);
    cudaMemcpyAsync(h, d, 256, cudaMemcpyDeviceToHost, s);
    cudaEventRecord(e, s);
    cudaEventSynchronize(e);
    for (int i = 0; i < 64; i++) sum += h[i];
    k<<<1, 64>>>(d);
    cudaMemcpy(h, d, 256, cudaMemcpyDeviceToHost);
    sum += h[5];
}
