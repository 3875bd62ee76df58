// Exactly 48 KiB need no attribute.
__global__ void __launch_bounds__(256) k(float *q, int n)
{
    extern __shared__ float s[];
    for (int i = threadIdx.x; i < n; i += blockDim.x) s[i] = i;
    __syncthreads();
    q[threadIdx.x] = s[(threadIdx.x * 7) % n];
}
int main()
{
    float *q;
    cudaMalloc(&q, 256 * sizeof(float));
    k<<<1, 256, 48 * 1024>>>(q, 12288);
    cudaDeviceSynchronize();
}
