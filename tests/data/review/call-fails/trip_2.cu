// The sizes were interchanged: the copy is larger than the array of the device.
__global__ void __launch_bounds__(64) k(float *q) { q[threadIdx.x] *= 2; }
int main()
{
    float h[256], *d;
    for (int i = 0; i < 256; i++) h[i] = i;
    cudaMalloc(&d, 64 * sizeof(float));
    cudaMemset(d, 0, 64 * sizeof(float));
    cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice);  // finds
    k<<<1, 64>>>(d);
    cudaDeviceSynchronize();
}
