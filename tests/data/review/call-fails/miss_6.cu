// The variable is passed by reference, and all of it is set.
__constant__ float c[16];
template <typename T>
void put(const T &variable, const float *h, size_t n)
{
    cudaMemcpyToSymbol(variable, h, n);
}
__global__ void __launch_bounds__(32) k(float *q) { q[threadIdx.x] = c[0]; }
int main()
{
    float h[16], *d;
    for (int i = 0; i < 16; i++) h[i] = i + 1;
    cudaMalloc(&d, 32 * sizeof(float));
    put(c, h, sizeof h);
    k<<<1, 32>>>(d);
    cudaDeviceSynchronize();
}
