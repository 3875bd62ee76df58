// The variable has 16 elements.
__constant__ float c[16];
__global__ void __launch_bounds__(64) k(float *q) { q[threadIdx.x] = c[threadIdx.x / 32]; }
int main()
{
    float h[64], *d;
    for (int i = 0; i < 64; i++) h[i] = i;
    cudaMalloc(&d, 64 * sizeof(float));
    cudaMemcpyToSymbol(c, h, sizeof h);  // finds
    k<<<1, 64>>>(d);
    cudaDeviceSynchronize();
}
