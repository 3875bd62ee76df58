// The array of the host is half as large.
__global__ void __launch_bounds__(64) k(float *q) { q[threadIdx.x] = 2; }
int main()
{
    float h[32], *d;
    cudaMalloc(&d, 64 * sizeof(float));
    k<<<1, 64>>>(d);
    cudaMemcpy(h, d, 64 * sizeof(float), cudaMemcpyDeviceToHost);  // finds
}
