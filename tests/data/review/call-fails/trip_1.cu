// More dynamic shared memory than a kernel has without an attribute.
__global__ void __launch_bounds__(256) k(float *q, int n)
{
    extern __shared__ float s[];
    for (int i = threadIdx.x; i < n; i += blockDim.x) s[i] = i;
    __syncthreads();
    q[threadIdx.x] = s[(threadIdx.x * 7) % n];
}
int main()
{
    const int n = 16384;
    float *q;
    cudaMalloc(&q, 256 * sizeof(float));
    k<<<1, 256, n * sizeof(float)>>>(q, n);  // finds
    cudaDeviceSynchronize();
}
