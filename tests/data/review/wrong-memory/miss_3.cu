// Registered memory of the host.
__global__ void __launch_bounds__(64) k(float *q) { q[threadIdx.x] *= 2; }
int main()
{
    float *h = new float[64], *d;
    for (int i = 0; i < 64; i++) h[i] = i;
    cudaHostRegister(h, 64 * sizeof(float), cudaHostRegisterMapped);
    cudaHostGetDevicePointer(&d, h, 0);
    k<<<1, 64>>>(d);
    cudaDeviceSynchronize();
}
